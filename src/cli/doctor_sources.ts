import { readSubscription } from "../breaches/adapters/sources/hibp/hibp_model.ts";
import type { SourceConfig } from "../config/source_config.ts";
import { PRODUCT, VERSION } from "../shared/product.ts";
import type { DatabaseContext } from "./command.ts";
import { ask, type Finding, field, finding } from "./doctor_finding.ts";

const area = "sources";

async function hibp({ baseUrl, apiKey }: Extract<SourceConfig, { kind: "hibp" }>, userAgent: string): Promise<Finding> {
  const url = `${baseUrl.replace(/\/+$/, "")}/subscription/status`;
  const answer = await ask(url, { "user-agent": userAgent, ...(apiKey && { "hibp-api-key": apiKey }) });
  const at = "Have I Been Pwned";
  if ("trouble" in answer)
    return finding(
      area,
      "fail",
      `${at} cannot be reached: ${answer.trouble}`,
      "Look whether this machine may reach HIBP_BASE_URL",
    );
  switch (answer.status) {
    case 200: {
      const plan = readSubscription(answer.body);
      if (plan === undefined)
        return finding(area, "fail", `${at}'s answer about the plan is not understood`, "Look at HIBP_BASE_URL");
      const ways = plan.kAnonymity ? "hash prefixes allowed" : "by full address";
      const name = field(answer.body, "SubscriptionName");
      return finding(
        area,
        "ok",
        `${at}: ${typeof name === "string" ? name.slice(0, 40) : "a plan"}, ${plan.rpm} a minute, ${ways}`,
      );
    }
    case 401:
      return finding(
        area,
        "fail",
        `${at} refuses the key`,
        "Copy it from haveibeenpwned.com/API/Key into HIBP_API_KEY",
      );
    case 403:
      return finding(
        area,
        "fail",
        `${at} blocks this server or its plan`,
        "Look at the plan at haveibeenpwned.com, and whether this machine's address is blocked",
      );
    case 404:
      return finding(area, "fail", `The key has no subscription at ${at}`, "Renew it at haveibeenpwned.com");
    case 429:
      return finding(
        area,
        "warn",
        `${at} is asked too often at the moment`,
        "Nothing: the server keeps its pace, look again later",
      );
    default:
      return finding(
        area,
        "fail",
        `${at} answers with ${answer.status}`,
        "Look at haveibeenpwned.com, and again later",
      );
  }
}

async function xposedOrNot(baseUrl: string, userAgent: string): Promise<Finding> {
  // One small entry: what it allows in a day is for addresses.
  const answer = await ask(`${baseUrl.replace(/\/+$/, "")}/v1/breaches?domain=adobe.com`, { "user-agent": userAgent });
  if ("trouble" in answer)
    return finding(
      area,
      "fail",
      `XposedOrNot cannot be reached: ${answer.trouble}`,
      "Look whether this machine may reach XPOSEDORNOT_BASE_URL",
    );
  if (answer.status === 429)
    return finding(area, "warn", "XposedOrNot's limit is reached for now", "Nothing: it goes on by itself");
  if (answer.status !== 200 && answer.status !== 404)
    return finding(area, "fail", `XposedOrNot answers with ${answer.status}`, "Look again later");
  return finding(area, "ok", "XposedOrNot answers; about 96 checks a day");
}

/** Each source with its key, plan and rate, without asking for an address. */
export async function checkSources({ config }: DatabaseContext): Promise<Finding[]> {
  const userAgent = `${PRODUCT}/${VERSION} (+${config.publicUrl})`;
  const list: Finding[] = [];
  for (const source of config.sources) {
    if (source.kind === "hibp") list.push(await hibp(source, userAgent));
    if (source.kind === "xposedornot") list.push(await xposedOrNot(source.baseUrl, userAgent));
    if (source.kind === "dataset") list.push(finding(area, "ok", "Your own lists, by breachbell import"));
    if (source.kind === "bundled")
      list.push(
        finding(
          area,
          config.production ? "fail" : "warn",
          "Bundled example data: real addresses are never found",
          "Set HIBP_API_KEY, or BREACH_SOURCE=xposedornot",
        ),
      );
  }
  return list;
}
