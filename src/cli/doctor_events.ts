import { postToSplunk } from "../operations/adapters/sinks/splunk.ts";
import { connectSyslog } from "../operations/adapters/sinks/syslog.ts";
import type { DatabaseContext } from "./command.ts";
import { type Finding, fail, ok, troubleOf } from "./doctor_finding.ts";

const TIMEOUT_MS = 8000;
/** Splunk's answer to a request with a valid token and no events. */
const NO_DATA = 5;
const TOKEN_CODES = [1, 2, 3, 4];

async function syslog(server: { host: string; port: number }): Promise<Finding> {
  try {
    (await connectSyslog(server, TIMEOUT_MS)).destroy();
    return ok("The syslog server answers, and its certificate is valid");
  } catch (error) {
    return fail(
      `The syslog server cannot be reached: ${troubleOf(error, "the connection failed")}`,
      "Look at EVENTS_SYSLOG_URL; for a private authority, set NODE_EXTRA_CA_CERTS",
    );
  }
}

async function splunk(collector: { url: string; token: string }): Promise<Finding> {
  try {
    const { status, code } = await postToSplunk({ ...collector, channel: crypto.randomUUID() }, "", TIMEOUT_MS);
    if (code === NO_DATA) return ok("Splunk answers and accepts the token");
    if (code !== undefined && TOKEN_CODES.includes(code))
      return fail(`Splunk refuses the token (code ${code})`, "Copy it from Splunk into EVENTS_SPLUNK_TOKEN");
    return fail(`Splunk answers with ${status}`, "Look at EVENTS_SPLUNK_URL, and at Splunk's health");
  } catch (error) {
    return fail(
      `Splunk cannot be reached: ${troubleOf(error, "the request failed")}`,
      "Look at EVENTS_SPLUNK_URL; for a private authority, set NODE_EXTRA_CA_CERTS",
    );
  }
}

/** Whether the destinations of events can be reached. Sends no event. */
export async function checkEvents({ config: { events } }: DatabaseContext): Promise<Finding[]> {
  return Promise.all([
    ...(events.syslog ? [syslog(events.syslog)] : []),
    ...(events.splunk ? [splunk(events.splunk)] : []),
  ]);
}
