/** The film: every event of the session on one strip. Brackets mark what the panel shows; a click on a turn goes there. */
import { useTranslations } from "next-intl";
import { memo, useMemo, type RefObject } from "react";
import { TRACE_MODES } from "../../../../shared/trace-events";
import { FILM_HEIGHT, FILM_WIDTH, filmOf, filmX, type Film } from "./film-lines";
import { useFilmWindow, type FilmWindow } from "./film-window";
import styles from "./trace-axis.module.css";
import type { TraceTurn } from "./trace-model";
import { usePaced } from "./use-paced";
import { turnKey } from "./visible-turns";

export interface TraceFilmProps {
  turns: readonly TraceTurn[];
  runningTurnSeq: number | null;
  /** The scroller that holds the rows. */
  root: RefObject<HTMLElement | null>;
}

/** Every line of the film moves with each event of a running turn; so often is a strip of 34 pixels drawn anew. */
const REDRAW_MS = 250;

const percent = (x: number): string => `${(x / FILM_WIDTH) * 100}%`;

export const TraceFilm = memo(function TraceFilm({ turns: present, runningTurnSeq, root }: TraceFilmProps) {
  const t = useTranslations("trace");
  const turns = usePaced(present, REDRAW_MS);
  const film = useMemo(() => filmOf(turns), [turns]);
  const shown = useFilmWindow(root, turns);
  const running = film.turns.find(({ turn }) => turn.turnSeq !== null && turn.turnSeq === runningTurnSeq);
  const events = turns.reduce((sum, { eventCount }) => sum + eventCount, 0);
  const goTo = (turn: TraceTurn) =>
    root.current
      ?.querySelector(`[data-trace-turn="${turnKey(turn.turnSeq)}"]`)
      ?.scrollIntoView({ block: "start", behavior: "instant" });

  return (
    <div className={styles.filmBox}>
      <div className={styles.film}>
        <svg
          viewBox={`0 0 ${FILM_WIDTH} ${FILM_HEIGHT}`}
          preserveAspectRatio="none"
          role="img"
          aria-label={t("film", { events, turns: turns.length })}
        >
          {film.turns.map(({ turn, x, width }) => (
            <path key={turnKey(turn.turnSeq)} d={`M${x} 30.5h${width}`} stroke="var(--edge)" strokeWidth="1" />
          ))}
          {[...TRACE_MODES, "danger" as const].map((hue) => (
            <path
              key={hue}
              className={hue === "danger" ? "text-danger" : hue}
              d={film.paths[hue]}
              stroke="currentColor"
              strokeWidth={hue === "danger" ? 2 : 1.2}
            />
          ))}
          {running === undefined ? null : (
            <path d={`M${running.x + running.width} 2V31`} stroke="var(--live)" strokeWidth="1.5" />
          )}
        </svg>
        {film.turns.map(({ turn, x, width }) => (
          <button
            key={turnKey(turn.turnSeq)}
            type="button"
            tabIndex={-1}
            className={styles.filmTurn}
            style={{ left: percent(x), width: percent(width) }}
            title={turn.number === null ? t("outside") : t("turn", { number: turn.number })}
            onClick={() => goTo(turn)}
          >
            {turn.number !== null && width > 22 ? <span>T{turn.number}</span> : null}
          </button>
        ))}
        <Brackets film={film} shown={shown} />
      </div>
    </div>
  );
});

function Brackets({ film, shown }: { film: Film; shown: FilmWindow | null }) {
  const from = film.turns.find(({ turn }) => turnKey(turn.turnSeq) === shown?.fromTurn);
  const to = film.turns.find(({ turn }) => turnKey(turn.turnSeq) === shown?.toTurn);
  if (shown === null || from === undefined || to === undefined) return null;
  const left = filmX(from, shown.fromMs) - 4;
  const right = filmX(to, shown.toMs ?? to.turn.lastMs) + 4;
  const place = { left: percent(left), width: percent(Math.max(0, right - left)) };
  return <i className={styles.filmWindow} style={place} aria-hidden="true" />;
}
