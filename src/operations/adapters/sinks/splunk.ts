import { readUpTo } from "../../../shared/http_response.ts";
import type { EventSink } from "../../event_log_ports.ts";

const SOURCE = "breachbell";
const TIMEOUT_MS = 20_000;
const LARGEST_ANSWER = 64 * 1024;
const COLLECTOR = "/services/collector/event";

/** `url` has no path and no trailing slash. */
export type SplunkConfig = { url: string; token: string };
type SplunkDeps = SplunkConfig & {
  /** This installation's host name. */
  hostName: string;
  /** Identifies this sender to Splunk: a UUID. */
  channel: string;
  timeoutMs?: number;
};

/** Splunk's numeric code in an answer; undefined where it is not Splunk's. */
async function codeOf(answer: Response): Promise<number | undefined> {
  const bytes = await readUpTo(answer, LARGEST_ANSWER);
  try {
    const body: unknown = JSON.parse(new TextDecoder().decode(bytes));
    const code = typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
    return typeof code === "number" ? code : undefined;
  } catch {
    return undefined;
  }
}

/** Posts a body to the HTTP Event Collector. */
export async function postToSplunk(
  { url, token, channel }: SplunkConfig & { channel: string },
  body: string,
  timeoutMs = TIMEOUT_MS,
): Promise<{ status: number; code: number | undefined }> {
  const answer = await fetch(`${url}${COLLECTOR}`, {
    method: "POST",
    headers: {
      Authorization: `Splunk ${token}`,
      "X-Splunk-Request-Channel": channel,
      "Content-Type": "application/json",
    },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(timeoutMs),
  });
  return { status: answer.status, code: await codeOf(answer) };
}

/** Sends events to Splunk's HTTP Event Collector, one request for each batch. */
export function splunkSink({ hostName: host, timeoutMs, ...collector }: SplunkDeps): EventSink {
  return {
    name: "splunk",
    async send(events) {
      const entries = events.map((event) => {
        const time = Date.parse(event.time) / 1000;
        return JSON.stringify({ time, host, source: SOURCE, sourcetype: "_json", event });
      });
      const { status, code } = await postToSplunk(collector, entries.join("\n"), timeoutMs);
      if (status !== 200 || code !== 0)
        throw new Error(`Splunk answers with ${status}${code === undefined ? "" : ` (code ${code})`}`);
    },
  };
}
