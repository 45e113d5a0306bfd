/**
 * What a reader opened and closed, by turn and row: it outlives a look at another picture of the panel. Whoever shows
 * turns provides one for each session; without one, what was opened lives as long as its turn is shown.
 */
import { createContext } from "react";

export type Choices = ReadonlyMap<string, boolean>;

export const KeptChoices = createContext<Map<number | null, Choices> | null>(null);
