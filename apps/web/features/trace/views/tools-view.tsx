/**
 * Tools: everything the agent of this site can be given, by what a visitor can drive through it, with the schema of each
 * call and the calls of this session. What is switched on is nobody's business here.
 */
import { useTranslations } from "next-intl";
import { useMemo, useState } from "react";
import type { ToolEntry } from "../../../../../shared/contracts/catalogue";
import { FoldMark } from "../mode-glyph";
import { formatCount } from "../time-scale";
import { callsByTool, groupsOf, type Parameter, parametersOf } from "./tool-table";
import { useCatalogue } from "./use-catalogue";
import type { ViewProps } from "./view-props";
import styles from "./views.module.css";

export function ToolsView({ view: { turns } }: Pick<ViewProps, "view">) {
  const t = useTranslations("panel.tools");
  const { catalogue, retry } = useCatalogue();
  const calls = useMemo(() => callsByTool(turns), [turns]);
  const [open, setOpen] = useState<ReadonlySet<string>>(() => new Set());
  if (catalogue === "loading") return <p className={styles.lead}>{t("loading")}</p>;
  if (catalogue === "failed") {
    return (
      <p className={styles.lead}>
        {t("failed")}{" "}
        <button type="button" className="act" onClick={retry}>
          {t("retry")}
        </button>
      </p>
    );
  }
  const toggle = (name: string) =>
    setOpen((before) => {
      const after = new Set(before);
      if (!after.delete(name)) after.add(name);
      return after;
    });
  return (
    <div>
      <p className={styles.lead}>
        {t.rich("lead", { b: (inside) => <b>{inside}</b>, chars: formatCount(catalogue.resultBodyCharLimit) })}
      </p>
      {groupsOf(catalogue.tools).map(({ group, tools }, at) => (
        <section key={group} aria-label={t(`group.${group}.name`)}>
          <h2 className={styles.group}>
            <b>{t(`group.${group}.name`)}</b>
            <span>{t(`group.${group}.drives`)}</span>
            {at === 0 && <span className="num">{t("calls")}</span>}
          </h2>
          {tools.map((tool) => (
            <Tool
              key={tool.name}
              tool={tool}
              calls={calls.get(tool.name) ?? 0}
              open={open.has(tool.name)}
              onToggle={() => toggle(tool.name)}
            />
          ))}
        </section>
      ))}
    </div>
  );
}

function Tool(props: { tool: ToolEntry; calls: number; open: boolean; onToggle: () => void }) {
  const { tool, calls, open, onToggle } = props;
  const t = useTranslations("panel.tools");
  return (
    <>
      <button type="button" className={styles.tool} aria-expanded={open} onClick={onToggle}>
        <FoldMark open={open} />
        <span>{tool.name}</span>
        <span className="cut">{t.has(`label.${tool.name}`) ? t(`label.${tool.name}`) : tool.label}</span>
        <span className="num">
          {formatCount(calls)}
          <span className="sr-only"> {t("calls")}</span>
        </span>
      </button>
      {open && <Schema tool={tool} />}
    </>
  );
}

function Schema({ tool }: { tool: ToolEntry }) {
  const t = useTranslations("panel.tools");
  const parameters = parametersOf(tool.parameters);
  return (
    <div className={styles.schema}>
      <p>{tool.description}</p>
      {parameters.length === 0 ? (
        <p>{t("noParameters")}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{t("parameter")}</th>
              <th scope="col">{t("type")}</th>
              <th scope="col">{t("meaning")}</th>
            </tr>
          </thead>
          <tbody>
            {parameters.map((parameter) => (
              <ParameterRow key={parameter.name} parameter={parameter} />
            ))}
          </tbody>
        </table>
      )}
      <p>{t("output", { text: tool.output })}</p>
      {tool.outputNote !== undefined && <p>{tool.outputNote}</p>}
    </div>
  );
}

function ParameterRow({ parameter }: { parameter: Parameter }) {
  const t = useTranslations("panel.tools");
  const { name, meaning, isRequired, fallback } = parameter;
  const notes = [
    meaning,
    isRequired ? t("required") : null,
    fallback === null ? null : t("fallback", { value: fallback }),
  ];
  return (
    <tr>
      <th scope="row">{name}</th>
      <td>
        <Bounds parameter={parameter} />
      </td>
      <td>{notes.filter((note) => note !== null && note !== "").join(t("join"))}</td>
    </tr>
  );
}

function Bounds({ parameter: { type, least, most, choices } }: { parameter: Parameter }) {
  const t = useTranslations("panel.tools");
  if (choices !== null) return choices.join(" | ");
  if (least !== null && most !== null) return least === most ? `${type}, ${least}` : `${type}, ${least}–${most}`;
  if (most !== null) return `${type}, ${t("atMost", { bound: most })}`;
  return least === null ? type : `${type}, ${t("atLeast", { bound: least })}`;
}
