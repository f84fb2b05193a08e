/** The seats of a new game of three or four. */
import { colorsOf } from "../board/colors.ts";
import { ColorSign } from "../common/color_sign.tsx";
import { t } from "../common/texts.ts";
import { Choices } from "./form_fields.tsx";
import { againstOf, type GameSetup, hasFreeSeat, isForAnybody, type NewSeat, seated } from "./game_setup.ts";

interface SeatsProps {
  setup: GameSetup;
  change: (part: Partial<GameSetup>) => void;
  /** How many levels the engine has. */
  levels: number;
}

const valueOf = (seat: NewSeat): string => (seat.kind === "engine" ? String(seat.level) : seat.kind);

const readSeat = (value: string): NewSeat =>
  value === "me" || value === "link" || value === "anybody" ? { kind: value } : { kind: "engine", level: Number(value) };

export function Seats({ setup, change, levels }: SeatsProps) {
  const setSeats = (seats: NewSeat[]): void => change({ seats, against: againstOf(seats) });
  const levelOptions = Array.from({ length: levels }, (_, index) => (
    <option key={index} value={String(index + 1)}>
      {t("home.seat_engine", { level: index + 1 })}
    </option>
  ));
  return (
    <>
      <fieldset class="field">
        <legend>{t("home.seats")}</legend>
        <ul class="seats">
          {colorsOf(setup.seats.length).map((color, index) => (
            <li key={color}>
              <label for={`seat-${color}`}>
                <ColorSign color={color} /> {t(`home.${color}`)}
              </label>
              <select
                id={`seat-${color}`}
                value={valueOf(setup.seats[index] ?? { kind: "link" })}
                onChange={(event) => setSeats(seated(setup.seats, index, readSeat(event.currentTarget.value)))}
              >
                <option value="me">{t("home.seat_me")}</option>
                <option value="link">{t("home.seat_link")}</option>
                <option value="anybody">{t("home.seat_anybody")}</option>
                {levelOptions}
              </select>
            </li>
          ))}
        </ul>
        <label class="check">
          <input
            type="checkbox"
            checked={setup.randomSeat}
            onChange={(event) => change({ randomSeat: event.currentTarget.checked })}
          />
          {t("home.random_seat")}
        </label>
      </fieldset>
      {hasFreeSeat(setup.seats) && (
        <Choices
          name="fill"
          title={t("home.fill")}
          values={[
            ["never", t("home.fill_never")],
            ["60", t("home.fill_minute")],
            ["300", t("home.fill_minutes")],
          ]}
          chosen={setup.fill === null ? "never" : String(setup.fill)}
          choose={(fill) => change({ fill: fill === "never" ? null : Number(fill) })}
        >
          {setup.fill === null ? (
            <p class="hint">{t(isForAnybody(setup.seats) ? "home.seats_lobby_hint" : "home.seats_hint")}</p>
          ) : (
            <select
              aria-label={t("home.level")}
              value={String(setup.level)}
              onChange={(event) => change({ level: Number(event.currentTarget.value) })}
            >
              {levelOptions}
            </select>
          )}
        </Choices>
      )}
    </>
  );
}
