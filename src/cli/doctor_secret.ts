import { statSync } from "node:fs";
import { join } from "node:path";
import { belongsTo, hasData } from "../backup/secret_of_data.ts";
import { knownSecret, restoringSecret } from "../runtime/secret.ts";
import type { DatabaseContext } from "./command.ts";
import { type Finding, fail, ok, warn } from "./doctor_finding.ts";

const FEWEST_BITS = 128;

/** An upper bound of the entropy in bits, by alphabet and repetition. */
export function strengthOf(secret: string): number {
  const counts = new Map<string, number>();
  for (const letter of secret) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  const length = [...secret].length;
  const perLetter = [...counts.values()].reduce((sum, count) => sum - (count / length) * Math.log2(count / length), 0);
  // A periodic secret, such as "abcabc…", has only the entropy of its period.
  const period =
    [...Array(length).keys()].find((at) => at > 0 && secret.startsWith(secret.slice(at)) && at <= length / 2) ?? length;
  return perLetter * Math.min(length, period);
}

/** Whether the database has data, and whether it belongs to this secret. Nothing of it is known when it cannot be opened. */
async function dataOf({ database, mac }: DatabaseContext, secret: string | undefined) {
  const nothing = { hasData: false, isForeign: false };
  const open = await database().catch(() => undefined);
  if (open === undefined) return nothing;
  return open(async (tx) => ({
    hasData: await hasData(tx),
    isForeign: secret !== undefined && !(await belongsTo(tx, mac)),
  }));
}

const NEW = "the output of: openssl rand -base64 32";

/** Whether the secret behind links, codes and encryption is that of the data, and whether it can be guessed. */
export async function checkSecret(bench: DatabaseContext): Promise<Finding[]> {
  const { config } = bench;
  const secret = knownSecret(config);
  const { hasData, isForeign } = await dataOf(bench, secret);
  const mend = restoringSecret(config).replace(/^./, (letter) => letter.toUpperCase());
  if (secret === undefined)
    return hasData
      ? [fail("There is data, but its secret is missing", mend)]
      : [warn("None yet: the first start creates it", "Start the server once")];
  if (isForeign) return [fail("The database belongs to another secret", mend)];
  const isFile = config.secret.kind === "file";
  const path = join(config.dataDir, "secret.key");
  if (strengthOf(secret) < FEWEST_BITS)
    return [
      fail(
        "APP_SECRET can be guessed: it repeats itself",
        hasData
          ? `An installation keeps its secret: set up a new one, with APP_SECRET set to ${NEW}`
          : `Set APP_SECRET to ${NEW}`,
      ),
    ];
  const list = [ok(isFile ? "Generated, in DATA_DIR" : "APP_SECRET is strong")];
  if (isFile && (statSync(path).mode & 0o077) !== 0)
    list.push(fail("Others on this machine can read it", `Run chmod 600 ${path}`));
  return list;
}
