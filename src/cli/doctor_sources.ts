import { sql } from "drizzle-orm";
import { readSubscription } from "../breaches/adapters/sources/hibp/hibp_model.ts";
import type { SourceConfig } from "../config/source_config.ts";
import { rowsOf } from "../database/logical_dump.ts";
import { PRODUCT, VERSION } from "../shared/product.ts";
import { isKeyRefused } from "../shared/sources.ts";
import type { DatabaseContext } from "./command.ts";
import { ask, type Finding, fail, finding, ok, warn } from "./doctor_finding.ts";
import { many } from "./words.ts";

const MOST_NAMED = 10;
const LONGEST_NAME = 40;

const HIBP = "Have I Been Pwned";
type XposedOrNotConfig = Extract<SourceConfig, { kind: "xposedornot" }>;

function planFinding(status: unknown): Finding {
  const plan = readSubscription(status);
  if (plan === undefined) return fail(`${HIBP}'s answer about the plan is not understood`, "Look at HIBP_BASE_URL");
  const facts = [
    plan.name?.slice(0, LONGEST_NAME) ?? "a plan",
    `${plan.perMinute} a minute`,
    plan.kAnonymity ? "hash prefixes allowed" : "by full address",
    plan.stealerLogs ? "with stealer logs" : "without stealer logs",
    ...(plan.until === undefined ? [] : [`until ${plan.until.slice(0, 10)}`]),
  ];
  return ok(`${HIBP}: ${facts.join(", ")}`);
}

async function hibp({ baseUrl, apiKey }: Extract<SourceConfig, { kind: "hibp" }>, userAgent: string): Promise<Finding> {
  const url = `${baseUrl.replace(/\/+$/, "")}/subscription/status`;
  const answer = await ask(url, { "user-agent": userAgent, ...(apiKey && { "hibp-api-key": apiKey }) });
  if ("trouble" in answer)
    return fail(`${HIBP} cannot be reached: ${answer.trouble}`, "Check that this machine can reach HIBP_BASE_URL");
  switch (answer.status) {
    case 200:
      return planFinding(answer.body);
    case 401:
      return fail(`${HIBP} refuses the key`, "Copy it from haveibeenpwned.com/API/Key into HIBP_API_KEY");
    case 403:
      return fail(
        `${HIBP} blocks this server or its plan`,
        "Look at the plan at haveibeenpwned.com, and whether this machine's address is blocked",
      );
    case 404:
      return fail(`The key has no subscription at ${HIBP}`, "Renew it at haveibeenpwned.com");
    case 429:
      return warn(
        `${HIBP} is asked too often at the moment`,
        "Nothing: the server keeps to the limit; check again later",
      );
    default:
      return fail(`${HIBP} answers with ${answer.status}`, "Look at haveibeenpwned.com, then try again later");
  }
}

async function xposedOrNot({ baseUrl }: XposedOrNotConfig, userAgent: string): Promise<Finding> {
  // Requests a single small entry, as the daily limit is needed for addresses.
  const answer = await ask(`${baseUrl.replace(/\/+$/, "")}/v1/breaches?domain=adobe.com`, { "user-agent": userAgent });
  if ("trouble" in answer)
    return fail(
      `XposedOrNot cannot be reached: ${answer.trouble}`,
      "Check that this machine can reach XPOSEDORNOT_BASE_URL",
    );
  if (answer.status === 429) return warn("XposedOrNot's limit is reached for now", "Nothing: it resumes automatically");
  if (answer.status !== 200 && answer.status !== 404)
    return fail(`XposedOrNot answers with ${answer.status}`, "Look again later");
  return ok("XposedOrNot answers; about 96 checks a day");
}

type DomainAnswers = { state: string; reason: string | null; domains: number; at: string | null };

/** What XposedOrNot last answered about domains; none before the database is migrated. */
async function domainAnswers(bench: DatabaseContext): Promise<DomainAnswers[]> {
  const query = sql`select state, reason, count(*)::int as domains, to_json(max(asked_at)) #>> '{}' as at
    from domains.source where source = 'xposedornot' group by state, reason order by state, reason`;
  return bench
    .database()
    .then((open) => open((tx) => rowsOf<DomainAnswers>(tx, query)))
    .catch((): DomainAnswers[] => []);
}

/** The key is judged by the last answers, as a request to check it would count against the 50 a day. */
async function xposedOrNotKey({ apiKey }: XposedOrNotConfig, bench: DatabaseContext): Promise<Finding[]> {
  if (apiKey === undefined) return [ok("XposedOrNot: no key, so it is not asked about whole domains")];
  const answers = await domainAnswers(bench);
  const troubles = answers.filter(({ state }) => state === "trouble");
  if (troubles.some(({ reason }) => isKeyRefused(reason ?? "")))
    return [
      fail(
        "XposedOrNot refused the key when it was last asked about domains",
        "Copy it from xposedornot.com into XPOSEDORNOT_API_KEY; XposedOrNot is asked again within a day",
      ),
    ];
  const last = answers
    .flatMap(({ at }) => at ?? [])
    .toSorted()
    .at(-1);
  return [
    last === undefined
      ? ok("XposedOrNot has a key, which is only checked by its first answer about a domain")
      : ok(`XposedOrNot accepted the key on ${last.slice(0, 10)}, when it last answered about a domain`),
    ...troubles.map(({ domains, reason }) =>
      warn(
        `XposedOrNot gave no answer about ${many(domains, "domain")}: ${reason ?? "no reason is known"}`,
        "Nothing: it is asked again as soon as its limit allows",
      ),
    ),
  ];
}

type Unread = { source: string; names: string[] };

/** Entries that the server left out when it last read the catalogues; none before the database is migrated. */
async function leftOut(bench: DatabaseContext): Promise<Finding[]> {
  const query = sql`select source, to_json(left_out) as names from breaches.source where left_out <> '{}' order by source`;
  const unread = await bench
    .database()
    .then((open) => open((tx) => rowsOf<Unread>(tx, query)))
    .catch((): Unread[] => []);
  return unread.map(({ source, names }) => {
    const shown = names.slice(0, MOST_NAMED).join(", ");
    return warn(
      `${many(names.length, "entry", "entries")} of ${source} cannot be read and nobody is told of them: ${shown}`,
      "Report it to the source; they are read again with every reading of its catalogue",
    );
  });
}

/** Checks key, plan and rate of each source without querying an address. */
export async function checkSources(bench: DatabaseContext): Promise<Finding[]> {
  const { config } = bench;
  const userAgent = `${PRODUCT}/${VERSION} (+${config.publicUrl})`;
  const list: Finding[] = [];
  for (const source of config.sources) {
    if (source.kind === "hibp") list.push(await hibp(source, userAgent));
    if (source.kind === "xposedornot")
      list.push(await xposedOrNot(source, userAgent), ...(await xposedOrNotKey(source, bench)));
    if (source.kind === "dataset") list.push(ok("Your own lists, by breachbell import"));
    if (source.kind === "bundled")
      list.push(
        finding(
          config.production ? "fail" : "warn",
          "Bundled example data: real addresses are never found",
          "Set HIBP_API_KEY, or BREACH_SOURCE=xposedornot",
        ),
      );
  }
  return [...list, ...(await leftOut(bench))];
}
