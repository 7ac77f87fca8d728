import { describe, expect, test } from "bun:test";
import { slack } from "../../../src/notifications/adapters/channels/slack/slack.ts";
import { content, messageTo } from "../sample_mail.ts";

const AT_SLACK = "https://hooks.slack.com/services/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";
const AT_MATTERMOST = "https://chat.example.org/hooks/x9k3rq8mtfbw5y1zjgde7hsaoc";
const NASTY = "<!channel> @all @here @channel.example [x](https://evil.example) *bold* a@all.example";

function bodyOf(url: string, text = NASTY) {
  const place = slack.placeOf({ url });
  if (typeof place === "string") return expect.unreachable();
  const message = messageTo("x", { content: { ...content, subject: text, blocks: [{ kind: "paragraph", text }] } });
  return slack.requestOf(message, place).body as { text: string; blocks?: { type: string; text: object }[] };
}

describe("slack", () => {
  test("sends plain text to Slack, in which nothing is a mention or a link", () => {
    const { text, blocks = [] } = bodyOf(AT_SLACK);
    expect(text).toStartWith("&lt;!channel&gt; @all");
    expect(blocks.map(({ type }) => type)).toEqual(["header", "section"]);
    for (const block of blocks) expect(block.text).toMatchObject({ type: "plain_text", emoji: false });
    expect(blocks[1]?.text).toMatchObject({ text: NASTY });
  });

  test("sends escaped Markdown to Mattermost and Rocket.Chat, in which no word notifies everyone", () => {
    const { text, blocks } = bodyOf(AT_MATTERMOST);
    expect(blocks).toBeUndefined();
    expect(text).toContain(String.raw`\<!channel\>`);
    expect(text).toContain(String.raw`\[x\](https://evil.example) \*bold\*`);
    expect(text).not.toMatch(/(?<!\w)@(all|here|channel)\b/);
    expect(text).toContain("a@all.example");
  });

  test.each([
    [AT_SLACK, "hooks.slack.com …J4dM"],
    [AT_MATTERMOST, "chat.example.org …saoc"],
    ["https://chat.example.org:8443/team/hooks/abcdef/", "chat.example.org:8443 …cdef"],
  ])("connects %s", (url, label) => {
    expect(slack.placeOf({ url })).toMatchObject({ label });
  });

  test.each([
    "https://discord.com/api/webhooks/123/abc",
    "https://hooks.slack.com/services/",
    "https://hooks.slack.com/triggers/T0/1/abc",
    "https://chat.example.org/team/channels/town-square",
    "",
  ])("does not connect %s", (url) => {
    expect(slack.placeOf({ url })).toBe("url");
  });
});
