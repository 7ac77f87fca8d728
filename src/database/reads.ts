import { remembered } from "../shared/remembered.ts";

/** Whatever else these words may mean: to begin a transaction needlessly does no harm. */
const MORE = /\b(?:for|pg_\w*advisory\w*|setval|nextval|set_config)\b/i;

/**
 * Whether a statement is a select that locks and changes nothing; one that starts with `with` may change something. A select sees
 * what was committed when it began, inside a transaction as outside (read committed). With BEGIN and COMMIT around reads, the
 * dashboard misses its bound on a slow machine.
 */
export const isRead = remembered((statement) => /^\s*select\b/i.test(statement) && !MORE.test(statement));
