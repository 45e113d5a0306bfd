/** The field at the head of the names: what is typed is looked for in names of events, tools and modes. Beside it, how much is hidden and the way back. */
import { useTranslations } from "next-intl";
import { useMemo, type KeyboardEvent } from "react";
import { focusFirstRow } from "./links";
import { formatCount } from "./time-scale";
import { filteredEvents, isFiltering } from "./trace-filter";
import styles from "./trace-axis.module.css";
import type { TraceTurn } from "./trace-model";
import type { FilterControl } from "./use-trace-filter";

export interface FilterFieldProps extends FilterControl {
  turns: readonly TraceTurn[];
}

export function FilterField({ filter, setName, clear, turns }: FilterFieldProps) {
  const t = useTranslations("trace.filter");
  const hidden = useMemo(() => turns.reduce((sum, turn) => sum + filteredEvents(turn, filter), 0), [turns, filter]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape" && filter.name !== "") setName("");
    else if (event.key !== "ArrowDown" || !focusFirstRow()) return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div className={styles.filter}>
      <input
        type="text"
        value={filter.name}
        placeholder={t("name")}
        aria-label={t("name")}
        autoComplete="off"
        spellCheck={false}
        data-trace-filter=""
        onChange={(event) => setName(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {isFiltering(filter) ? (
        <button type="button" onClick={clear}>
          {t("all", { count: formatCount(hidden) })}
        </button>
      ) : null}
    </div>
  );
}
