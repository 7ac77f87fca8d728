import { describe, expect, test } from "bun:test";
import type { ChannelConfig } from "../src/config/channel_config.ts";
import { describeDefaults, loadConfig } from "../src/config/config.ts";
import { channelSenders } from "../src/runtime/channel_senders.ts";
import { CHAT_NAMES } from "../src/shared/chats.ts";
import { PUSH_OPTIONS } from "./support/channel_providers.ts";
import { configOf, type Environment, PRODUCTION } from "./support/settings.ts";

const TOKEN = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";

function load(environment: Record<string, string>, files: Record<string, string> = {}) {
  return loadConfig(environment, (path) => {
    const text = files[path];
    if (text === undefined) throw new Error(`Cannot read "${path}"`);
    return text;
  });
}

function channelsOf(environment: Record<string, string>, files?: Record<string, string>): ChannelConfig {
  const loaded = load(environment, files);
  if (!loaded.ok) throw new Error(loaded.problems.join("\n"));
  return loaded.config.channels;
}

function problemsOf(environment: Record<string, string>): string[] {
  const loaded = load(environment);
  return loaded.ok ? [] : loaded.problems;
}

function openedBy(environment: Record<string, string>): string[] {
  const circumstances = {
    userAgent: "Breachbell/0.1.0",
    now: () => new Date(0),
    report: () => {},
    proxy: undefined,
    push: PUSH_OPTIONS,
  };
  const senders = channelSenders(channelsOf(environment), circumstances);
  return Object.entries(senders).map(([channel, sender]) => {
    expect(sender.channel).toBe(channel as typeof sender.channel);
    return channel;
  });
}

describe("Telegram and Pushover without tokens", () => {
  const embeddedBy = (environment: Environment) => configOf(environment).channels.embedded;

  test("use the local inbox, each separately, where it can be opened", () => {
    expect(embeddedBy({})).toEqual(["telegram", "pushover"]);
    expect(embeddedBy({ PUBLIC_URL: "http://127.0.0.1:3000" })).toEqual(["telegram", "pushover"]);
    expect(embeddedBy({ PUSHOVER_APP_TOKEN: TOKEN })).toEqual(["telegram"]);
    expect(embeddedBy({ TELEGRAM_BOT_TOKEN: `1:${TOKEN}` })).toEqual(["pushover"]);
  });

  test("are disabled if nobody could read the messages", () => {
    expect(embeddedBy({ PUBLIC_URL: "https://breachbell.example" })).toEqual([]);
    expect(embeddedBy(PRODUCTION)).toEqual([]);
    const here = { ...PRODUCTION, PUBLIC_URL: "http://localhost:3000" };
    expect(configOf(here)).toMatchObject({ production: true, channels: { embedded: [] } });
  });

  test("are reported on start-up, with their replacement", () => {
    const lines = describeDefaults(configOf({ PORT: "4000" })).join("\n");
    for (const [channel, token] of [
      ["telegram", "TELEGRAM_BOT_TOKEN"],
      ["pushover", "PUSHOVER_APP_TOKEN"],
    ]) {
      expect(lines).toContain(`http://localhost:4000/mailbox/${channel}`);
      expect(lines).toContain(String(token));
    }
  });
});

describe("channels", () => {
  test("are enabled by their settings, and are disabled without them", () => {
    const none = { WEB_PUSH: "off", CHATS: "off" };
    expect(openedBy({})).toEqual(["webpush", ...CHAT_NAMES]);
    expect(openedBy({ ...none, PUSHOVER_APP_TOKEN: TOKEN })).toEqual(["pushover"]);
    expect(openedBy({ ...none, NTFY_BASE_URL: "https://ntfy.sh" })).toEqual(["ntfy"]);
    expect(openedBy({ ...none, WEBHOOKS: "on", WEB_PUSH: "on" })).toEqual(["webhook", "webpush"]);
    expect(openedBy({ ...none, CHATS: " slack " })).toEqual(["slack"]);
    expect(openedBy({ ...none, WEBHOOKS: "off", PUSHOVER_BASE_URL: "http://127.0.0.1:1/1" })).toEqual([]);
  });

  test("read their URLs and secrets, also from files", () => {
    expect(channelsOf({ PUSHOVER_APP_TOKEN_FILE: "/token" }, { "/token": `${TOKEN}\n` })).toMatchObject({
      pushover: { baseUrl: "https://api.pushover.net/1", appToken: TOKEN },
    });
    const ntfy = { NTFY_BASE_URL: "https://ntfy.example", NTFY_TOKEN_FILE: "/token" };
    expect(channelsOf(ntfy, { "/token": "tk_secret" })).toMatchObject({
      ntfy: { baseUrl: "https://ntfy.example", token: "tk_secret" },
    });
    expect(channelsOf({ WEBHOOK_ALLOW_PRIVATE: "true" })).toMatchObject({ webhooks: false, allowPrivate: true });
  });

  test.each([
    ["PUSHOVER_APP_TOKEN", "short"],
    ["PUSHOVER_BASE_URL", "http://api.pushover.example/1"],
    ["PUSHOVER_BASE_URL", "nonsense"],
    ["NTFY_BASE_URL", "http://ntfy.example"],
    ["NTFY_BASE_URL", "https://ntfy.example/topic"],
    ["NTFY_BASE_URL", "https://user:secret@ntfy.example"],
    ["WEBHOOKS", "yes"],
    ["WEBHOOK_ALLOW_PRIVATE", "1"],
  ])("reject %s=%s, without quoting it", (name, value) => {
    const problems = problemsOf({ [name]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toStartWith(`${name} `);
    expect(problems[0]).not.toContain(value);
  });

  test("require a server for an access token", () => {
    expect(problemsOf({ NTFY_TOKEN: "tk_secret" })).toEqual(["NTFY_BASE_URL is missing: NTFY_TOKEN is for one server"]);
  });
});

test("plain http in a private network needs ?tls=off", () => {
  const lan = {
    TELEGRAM_BOT_TOKEN: "1:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
    TELEGRAM_BASE_URL: "http://bot-api.lan:8081",
  };
  expect(problemsOf(lan).join()).toStartWith("TELEGRAM_BASE_URL must be an https address");
  const telegram = channelsOf({ ...lan, TELEGRAM_BASE_URL: `${lan.TELEGRAM_BASE_URL}?tls=off` }).telegram;
  expect(telegram?.baseUrl).toBe("http://bot-api.lan:8081");
  expect(channelsOf({ NTFY_BASE_URL: "http://ntfy.lan?tls=off" }).ntfy?.baseUrl).toBe("http://ntfy.lan");
  for (const wrong of ["http://ntfy.lan?tls=on", "http://ann:secret@ntfy.lan?tls=off", "ftp://ntfy.lan?tls=off"])
    expect(problemsOf({ NTFY_BASE_URL: wrong }), wrong).toHaveLength(1);
});
