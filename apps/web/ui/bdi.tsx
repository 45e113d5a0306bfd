/** `<bdi>` of a message: a name from the wire, whose direction turns none of the words and numbers around it. */
import type { ReactNode } from "react";

export const bdi = (inside: ReactNode): ReactNode => <bdi>{inside}</bdi>;
