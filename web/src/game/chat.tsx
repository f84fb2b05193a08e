/** The chat of players and spectators. */
import { useEffect, useRef, useState } from "preact/hooks";
import { ColorSign } from "../common/color_sign.tsx";
import { loadedWhenShown } from "../common/loaded_when_shown.tsx";
import { displayName, isGuestName } from "../common/player_names.ts";
import { type Color, isOver, isAgainstEngine } from "./record.ts";
import { ReportButton } from "./report_button.tsx";
import type { ChatLine, Room, GameSession } from "./session.ts";
import { t } from "./texts.ts";
import { useSession } from "./hooks.ts";
import { load, store } from "../board/storage.ts";

const Report = loadedWhenShown(() => import("./report.tsx").then(({ Report }) => Report));

const MUTE_KEY = "lozenge.mute";

/** The rooms that the viewer can read. */
export function roomsOf(session: GameSession): Room[] {
  const { game } = session;
  if (!game.you) return ["spectators"];
  const rooms: Room[] = isAgainstEngine(game) ? [] : ["players"];
  const canReadSpectators = rooms.length > 0 || session.chat.length > 0;
  return isOver(game) && canReadSpectators ? [...rooms, "spectators"] : rooms;
}

function isOwn(session: GameSession, message: ChatLine): boolean {
  const { you } = session.game;
  // A spectator's own messages are those sent from this page, since guests can share a name.
  return you ? message.side === you : !message.side && session.sentTexts.has(message.text);
}

export function Chat() {
  const session = useSession();
  const rooms = roomsOf(session);
  const [selectedRoom, setSelectedRoom] = useState<Room>("players");
  const [muted, setMuted] = useState(load(MUTE_KEY) === "on");
  const readCounts = useRef<Partial<Record<Room, number>>>({});
  const room = rooms.includes(selectedRoom) ? selectedRoom : rooms[0];
  if (!room || session.game.state.status === "waiting") return null;
  const messages = session.chat.filter((message) => message.room === room);
  readCounts.current[room] = messages.length;
  const unread = (other: Room): boolean =>
    other !== room &&
    session.chat.filter((message) => message.room === other).length > (readCounts.current[other] ?? 0);
  const toggleMute = (): void => {
    store(MUTE_KEY, muted ? "off" : "on");
    setMuted(!muted);
  };
  /** Arrow keys move between tabs; Tab stops at one of them. */
  const onTabKey = (event: KeyboardEvent): void => {
    const at = rooms.indexOf(room);
    const to = { ArrowLeft: at - 1, ArrowRight: at + 1, Home: 0, End: rooms.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const nextRoom = rooms[(to + rooms.length) % rooms.length] ?? room;
    setSelectedRoom(nextRoom);
    document.getElementById(`g-tab-${nextRoom}`)?.focus();
  };
  return (
    <section class="g-chat" aria-label={t("chat")}>
      <header>
        <div class="g-tabs" role="tablist" aria-label={t("chat")} onKeyDown={onTabKey}>
          {rooms.map((tab) => (
            <button
              key={tab}
              type="button"
              role="tab"
              id={`g-tab-${tab}`}
              aria-selected={tab === room}
              aria-controls="g-chat-messages"
              tabIndex={tab === room ? 0 : -1}
              onClick={() => setSelectedRoom(tab)}
            >
              {t(tab === "players" ? "room_players" : "room_spectators")}
              {unread(tab) && (
                <span class="g-unread">
                  <span class="unseen">{t("unread")}</span>
                </span>
              )}
            </button>
          ))}
        </div>
        <button type="button" class="g-plain g-mute" aria-pressed={muted} onClick={toggleMute}>
          {t(muted ? "unmute" : "mute")}
        </button>
      </header>
      <Messages messages={muted ? messages.filter((message) => isOwn(session, message)) : messages} room={room} muted={muted} />
      <MessageForm room={room} />
    </section>
  );
}

/** The author of a message; accounts have a profile. */
function Author({ name }: { name: string }) {
  const shown = displayName(name);
  return isGuestName(name) ? <>{shown}</> : <a href={`/player/${encodeURIComponent(name)}`}>{shown}</a>;
}

/** The color of a player, since two guests can have the same number. */
function Side({ color }: { color: Color }) {
  return (
    <>
      <ColorSign color={color} />
      <span class="unseen">{t(color)}</span>
    </>
  );
}

function Messages({ messages, room, muted }: { messages: ChatLine[]; room: Room; muted: boolean }) {
  const session = useSession();
  const scroller = useRef<HTMLDivElement>(null);
  const [reporting, setReporting] = useState<ChatLine | null>(null);
  useEffect(() => {
    scroller.current?.scrollTo({ top: scroller.current.scrollHeight });
  }, [messages.length, room]);
  return (
    <>
      <div
        id="g-chat-messages"
        class="g-messages"
        ref={scroller}
        role="tabpanel"
        aria-labelledby={`g-tab-${room}`}
        aria-live={muted ? "off" : "polite"}
        tabIndex={0}
      >
        {messages.length === 0 && <p class="g-none">{t(muted ? "muted" : "chat_empty")}</p>}
        {messages.map((message, index) => (
          <p key={`${message.at}-${index}`} class={isOwn(session, message) ? "g-own" : undefined}>
            {message.side && <Side color={message.side} />}
            <b><Author name={message.from} /></b> {message.text}
            {!isOwn(session, message) && <ReportButton message={message} open={() => setReporting(message)} />}
          </p>
        ))}
      </div>
      {reporting && <Report message={reporting} close={() => setReporting(null)} />}
    </>
  );
}

function MessageForm({ room }: { room: Room }) {
  const session = useSession();
  const [text, setText] = useState("");
  const [isOpen, setOpen] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isOpen) input.current?.focus();
  }, [isOpen]);
  const submit = (event: Event): void => {
    event.preventDefault();
    if (text.trim() === "") return;
    // A refused message returns to the input, unless the user is writing the next.
    session.sendChat(room, text.trim(), () => setText((draft) => (draft === "" ? text : draft)));
    setText("");
  };
  return (
    <form class="g-say" data-open={isOpen ? "" : undefined} onSubmit={submit}>
      {/* On phones the keyboard takes half of the page, so the line opens for those who want to write. */}
      {!isOpen && (
        <button type="button" class="g-plain g-write" onClick={() => setOpen(true)}>
          {t("chat_place")}
        </button>
      )}
      <p id="g-chat-problem" class="g-problem" role="alert">
        {session.chatProblem}
      </p>
      <input
        id="g-chat-input"
        ref={input}
        type="text"
        maxLength={300}
        autoComplete="off"
        value={text}
        placeholder={t("chat_place")}
        aria-label={t("chat_place")}
        aria-describedby="g-chat-problem"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button type="submit" class="g-button">
        {t("chat_send")}
      </button>
    </form>
  );
}
