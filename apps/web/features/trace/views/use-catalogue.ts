/** The tool catalogue: asked for once a page load, and again only after it could not be read. */
import { useCallback, useEffect, useState } from "react";
import type { ToolCatalogue } from "../../../../../shared/contracts/catalogue";

export type Catalogue = ToolCatalogue | "loading" | "failed";

let asked: Promise<ToolCatalogue> | null = null;

async function ask(): Promise<ToolCatalogue> {
  const response = await fetch("/api/agent/tools");
  if (!response.ok) throw new Error("the catalogue is not available");
  return (await response.json()) as ToolCatalogue;
}

export function useCatalogue(): { catalogue: Catalogue; retry: () => void } {
  const [catalogue, setCatalogue] = useState<Catalogue>("loading");
  const load = useCallback(() => {
    setCatalogue("loading");
    asked ??= ask();
    asked.then(setCatalogue, () => {
      asked = null;
      setCatalogue("failed");
    });
  }, []);
  useEffect(load, [load]);
  return { catalogue, retry: load };
}
