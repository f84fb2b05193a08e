/** The engine's panel: on and off, score, lines, speed, and its other settings. */
import { MEMORY_SIZES } from "./engine.ts";
import type { Line } from "./search_events.ts";
import { numberOf, SEARCH_TIMES } from "./analysis.ts";
import type { DisplayOptions } from "./board.tsx";
import { livingOf, turnOf } from "../common/fen.ts";
import { useAnalysis } from "./hooks.ts";
import { countText, expectedScore, scoreText, scoreWords } from "./scores.ts";
import { t, turnText } from "./texts.ts";

/** Moves of a line that are shown. */
const MAX_LINE_MOVES = 20;

export function EnginePanel({ display, setDisplay }: { display: DisplayOptions; setDisplay: (display: DisplayOptions) => void }) {
  const analysis = useAnalysis();
  const { isEngineOn, info, position } = analysis;
  const best = info?.lines[0];
  const isOver = position !== null && position.result !== "*";
  return (
    <section class="a-engine" aria-label={t("engine")}>
      <div class="a-head">
        <button
          type="button"
          class="a-switch"
          role="switch"
          aria-checked={isEngineOn}
          aria-label={t("engine")}
          title={t("engine")}
          onClick={() => analysis.setEngine(!isEngineOn)}
        >
          <i aria-hidden="true" />
        </button>
        {isEngineOn && best && !analysis.isEngineHidden && <strong class="a-score" title={scoreWords(best.score, turnOf(analysis.node.fen))}>{scoreText(best.score)}</strong>}
        <Status />
      </div>
      {isEngineOn && !analysis.isEngineHidden && (
        <>
          {isOver ? (
            <p class="a-quiet">{t("engine_over")}</p>
          ) : (
            <ol class="a-lines">
              {Array.from({ length: analysis.lines }, (_, index) => <LineRow key={index} line={info?.lines[index]} />)}
            </ol>
          )}
          {best?.wdl && <Chances wdl={best.wdl} />}
          {analysis.showsThreat && analysis.threatInfo?.lines[0] && (
            <p class="a-threat">{t("threat_is", { move: analysis.threatInfo.lines[0].san[0] ?? "" })}</p>
          )}
          <div class="a-tools" role="group" aria-label={t("engine")}>
            <label>
              {t("lines")}
              <input
                type="range"
                min={1}
                max={5}
                value={analysis.lines}
                aria-valuetext={String(analysis.lines)}
                onChange={(event) => analysis.setLines(Number(event.currentTarget.value))}
              />
              <output>{analysis.lines}</output>
            </label>
            <button type="button" class="a-tool" disabled={isOver} onClick={() => analysis.goDeeper()}>
              {t("deeper")}
            </button>
            {!analysis.isMulti && (
              <button
                type="button"
                class="a-tool"
                title={t("threat_title")}
                aria-pressed={analysis.showsThreat}
                disabled={isOver || position?.check != null}
                onClick={() => analysis.toggleThreat()}
              >
                {t("threat")}
              </button>
            )}
            <button
              type="button"
              class="a-tool"
              title={t("arrow_title")}
              aria-pressed={display.arrow}
              onClick={() => setDisplay({ ...display, arrow: !display.arrow })}
            >
              {t("arrow")}
            </button>
            {analysis.hasEngineChoice && (
              <label>
                {t("engine_place")}
                <select value={analysis.engineLocation} onChange={(event) => analysis.setEngineLocation(event.currentTarget.value === "server" ? "server" : "browser")}>
                  <option value="browser">{t("place_browser")}</option>
                  <option value="server">{t("place_server")}</option>
                </select>
              </label>
            )}
            <Limits />
          </div>
        </>
      )}
    </section>
  );
}

/** How long the engine thinks about a position, and with how much memory. */
function Limits() {
  const analysis = useAnalysis();
  const seconds = (time: number | null): string => (time === null ? t("no_limit") : t("seconds", { seconds: time / 1_000 }));
  return (
    <>
      <label>
        {t("time_limit")}
        <select
          value={String(analysis.time)}
          onChange={(event) => analysis.setTime(SEARCH_TIMES.find((time) => String(time) === event.currentTarget.value) ?? null)}
        >
          {SEARCH_TIMES.map((time) => <option key={time} value={String(time)}>{seconds(time)}</option>)}
        </select>
      </label>
      {analysis.engineLocation === "browser" && (
        <label>
          {t("memory")}
          <select value={analysis.memory} onChange={(event) => analysis.setMemory(Number(event.currentTarget.value))}>
            {MEMORY_SIZES.map((memory) => <option key={memory} value={memory}>{t("megabytes", { size: memory })}</option>)}
          </select>
        </label>
      )}
    </>
  );
}

/** The state of the engine. */
function Status() {
  const analysis = useAnalysis();
  const { info } = analysis;
  const location = t(analysis.engineLocation === "browser" ? "engine_browser" : "engine_here");
  if (!analysis.isEngineOn) return <span class="a-quiet">{location}</span>;
  if (analysis.engineFault) return <span class="g-problem">{analysis.engineFault}</span>;
  if (analysis.isQueued && !info) return <span class="a-quiet">{t("engine_waits")}</span>;
  if (!info) return <span class="a-quiet">{analysis.isSearching ? t("engine_starts") : location}</span>;
  return (
    <span class="a-quiet">
      {t("depth", { depth: info.depth })} · {t("speed", { speed: countText(info.nps) })}
      {info.current && analysis.isSearching ? ` · ${info.current}` : ""}
      <span class="a-where">{location}</span>
    </span>
  );
}

function LineRow({ line }: { line: Line | undefined }) {
  const analysis = useAnalysis();
  const { node, root } = analysis;
  if (!line) return <li class="a-line" aria-hidden="true" />;
  const numbers = analysis.isMulti ? multiNumbers(node.fen) : null;
  const first = numberOf(root, node);
  // The numbers of moves after the position.
  const start = node.parent ? first.number + (first.isBlack ? 1 : 0) : Number.parseInt(root.fen.split(/\s+/)[5] ?? "1", 10);
  const black = node.parent ? !first.isBlack : root.fen.split(/\s+/)[1] === "b";
  const moves = line.san.slice(0, MAX_LINE_MOVES).map((san, index) => {
    const half = index + (black ? 1 : 0);
    const number = start + Math.floor(half / 2);
    const text = numbers ? `${numbers(index)}${turnText(san)}` : half % 2 === 0 ? `${number}. ${san}` : index === 0 ? `${number}… ${san}` : san;
    return (
      <button
        type="button"
        key={index}
        title={t("add_line", { line: line.san.slice(0, index + 1).join(" ") })}
        onClick={() => void analysis.addLine(line.pv.slice(0, index + 1))}
      >
        {text}
      </button>
    );
  });
  return (
    <li class="a-line">
      <strong>{scoreText(line.score)}</strong> <span>{moves}</span>
    </li>
  );
}

/** The numbers before the moves of a line from a position of four, as long as nobody passes or goes out. */
function multiNumbers(fen: string): (index: number) => string {
  const living = livingOf(fen) ?? [];
  const [start, first] = [Number.parseInt(fen.split(/\s+/)[5] ?? "1", 10), living.indexOf(turnOf(fen))];
  return (index) => {
    const half = first + index;
    const number = start + Math.floor(half / living.length);
    return half % living.length === 0 ? `${number}. ` : index === 0 ? `${number}… ` : "";
  };
}

/** Wins, draws and losses. */
function Chances({ wdl }: { wdl: readonly number[] }) {
  const percent = wdl.map((count) => Math.round(count / 10));
  const [win = 0, draw = 0, loss = 0] = percent;
  const text = t("wdl", { win, draw, loss });
  return (
    <div class="a-wdl" role="img" aria-label={text} title={text}>
      {wdl.map((count, index) => (
        <i key={index} style={{ flexGrow: count }}>
          {count >= 120 ? `${percent[index] ?? 0} %` : ""}
        </i>
      ))}
    </div>
  );
}

/** The evaluation as a bar beside the board. */
export function EvaluationBar({ flipped }: { flipped: boolean }) {
  const analysis = useAnalysis();
  const best = analysis.info?.lines[0];
  if (!analysis.isEngineOn || analysis.isEngineHidden || analysis.isMulti) return null;
  const white = best?.wdl ? expectedScore(best.wdl) : 0.5;
  const text = best ? scoreWords(best.score, "white") : t("evaluation");
  return (
    <div class="a-bar" role="img" aria-label={`${t("evaluation")}: ${text}`} title={text} data-flipped={flipped ? "" : undefined}>
      <i style={{ height: `${(white * 100).toFixed(1)}%` }} />
    </div>
  );
}

