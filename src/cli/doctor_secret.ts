import { existsSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { DatabaseContext } from "./command.ts";
import { type Finding, finding } from "./doctor_finding.ts";

const area = "secret";
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

/** Whether the secret behind links, codes and encryption can be guessed. */
export async function checkSecret({ config }: DatabaseContext): Promise<Finding[]> {
  const path = join(config.dataDir, "secret.key");
  const isFile = config.secret.kind === "file";
  if (isFile && !existsSync(path))
    return [finding(area, "warn", "There is none yet: the first start makes it", "Start the server once")];
  const secret = config.secret.kind === "given" ? config.secret.value : readFileSync(path, "utf8").trim();
  const mend =
    "Set APP_SECRET to the output of: openssl rand -base64 32. Everybody signs in again, and webhook secrets are renewed";
  if (strengthOf(secret) < FEWEST_BITS)
    return [finding(area, "fail", "APP_SECRET can be guessed: it repeats itself", mend)];
  const list = [finding(area, "ok", isFile ? "Generated, in DATA_DIR" : "APP_SECRET is strong")];
  if (isFile && (statSync(path).mode & 0o077) !== 0)
    list.push(finding(area, "fail", "Others on this machine may read it", `Run chmod 600 ${path}`));
  return list;
}
