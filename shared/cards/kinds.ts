/** The eight kinds of card, each read from the fields that are its own (§24.2). Anything wrong throws `Violation`. */
import { LIMITS } from "../limits";
import type {
  AskingCard,
  ChoiceCard,
  CompareCard,
  FormCard,
  FormField,
  KeyValueCard,
  ListCard,
  StatCard,
  TableCard,
} from "./card";
import { type Fields, fieldsOf, flag, list, optionalText, possiblyEmpty, text, Violation } from "./fields";

export function leafOf(fields: Fields): KeyValueCard | TableCard | ListCard | StatCard | CompareCard {
  switch (fields.kind) {
    case "kv":
      return { kind: "kv", rows: rowsOf(fields, (row) => ({ k: text(row.k), v: text(row.v) })) };
    case "table":
      return tableOf(fields);
    case "list": {
      const items = list(fields.items, 1, LIMITS.cardRows, (value) => {
        const item = fieldsOf(value);
        return { text: text(item.text), note: optionalText(item.note) };
      });
      return { kind: "list", items, ordered: flag(fields.ordered) };
    }
    case "stat":
      return { kind: "stat", items: list(fields.items, LIMITS.cardStatsMin, LIMITS.cardStats, statOf) };
    case "compare": {
      const [left, right] = list(fields.columns, 2, 2, (name) => text(name));
      const rows = rowsOf(fields, (row) => ({ k: text(row.k), a: possiblyEmpty(row.a), b: possiblyEmpty(row.b) }));
      return { kind: "compare", columns: [left!, right!], rows };
    }
    default:
      throw new Violation();
  }
}

export function askingOf(fields: Fields): AskingCard {
  return fields.kind === "choice" ? choiceOf(fields) : formOf(fields);
}

function rowsOf<T>(fields: Fields, read: (row: Fields) => T): T[] {
  return list(fields.rows, 1, LIMITS.cardRows, (row) => read(fieldsOf(row)));
}

function tableOf(fields: Fields): TableCard {
  const columns = list(fields.columns, 1, LIMITS.cardColumns, (name) => text(name));
  const rows = list(fields.rows, 1, LIMITS.cardRows, (row) =>
    list(row, columns.length, columns.length, (cell) => possiblyEmpty(cell)),
  );
  return { kind: "table", columns, rows, sortable: flag(fields.sortable) };
}

function statOf(value: unknown): StatCard["items"][number] {
  const { label, value: number, unit, note } = fieldsOf(value);
  return { label: text(label), value: text(number), unit: optionalText(unit), note: optionalText(note) };
}

function choiceOf(fields: Fields): ChoiceCard {
  const options = list(fields.options, LIMITS.cardOptionsMin, LIMITS.cardOptions, (value) => {
    const option = fieldsOf(value);
    return { label: text(option.label, LIMITS.cardOptionChars), note: optionalText(option.note) };
  });
  return {
    kind: "choice",
    prompt: optionalText(fields.prompt),
    options,
    multiple: flag(fields.multiple),
    submit: optionalText(fields.submit, LIMITS.cardSubmitChars),
  };
}

function formOf(fields: Fields): FormCard {
  return {
    kind: "form",
    prompt: optionalText(fields.prompt),
    fields: list(fields.fields, 1, LIMITS.cardFields, fieldOf),
    submit: optionalText(fields.submit, LIMITS.cardSubmitChars),
  };
}

function fieldOf(value: unknown): FormField {
  const { label, type = "text", placeholder, required, options } = fieldsOf(value);
  if (type !== "text" && type !== "select") throw new Violation();
  return {
    label: text(label, LIMITS.cardFieldLabelChars),
    options:
      type === "text"
        ? undefined
        : list(options, LIMITS.cardOptionsMin, LIMITS.cardOptions, (option) => text(option, LIMITS.cardOptionChars)),
    placeholder: optionalText(placeholder, LIMITS.cardPlaceholderChars),
    required: flag(required),
  };
}
