import { LANGUAGES } from "../../src/shared/language.ts";
import { atMost, type Finding } from "../faults/bench.ts";
import { ROUTES } from "../web/walk_stops.ts";
import { walk } from "../web/walking.ts";

/** A browser message about the policy. */
export const VIOLATION = /console: [a-z-]+-(src|uri|action|ancestors|types)[a-z-]* /;

/** S30 in a browser: every page of the table, in every language, on a phone and a desktop, with the server's policy. */
export async function violations(): Promise<Finding[]> {
  const looks = ROUTES.flatMap((stop) =>
    LANGUAGES.flatMap((language) => [360, 1440].map((width) => ({ stop, language, theme: "light" as const, width }))),
  );
  const found = await walk({ looks });
  const against = found.filter((text) => VIOLATION.test(text));
  const missed = found.filter((text) => text.includes("not reached: "));
  for (const text of [...against, ...missed]) console.error(`S30: ${text}`);
  return [
    atMost("S30", `violations of the policy in ${looks.length} looks at ${ROUTES.length} pages`, against.length, 0),
    atMost("S30", "pages that were not reached", missed.length, 0),
  ];
}
