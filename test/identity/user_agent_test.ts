import { describe, expect, test } from "bun:test";
import { deviceOf } from "../../src/identity/adapters/http/user_agent.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0";

describe("deviceOf()", () => {
  test.each([
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox", "Linux"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, "Chrome", "Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/140.0.0.0`, "Microsoft Edge", "Windows"],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${CHROME} Mobile Safari/537.36`, "Chrome", "Android"],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
      "Safari",
      "iOS",
    ],
  ])("deviceOf(%p) is %s on %s", (agent, browser, system) => {
    expect(deviceOf(agent)).toEqual({ browser, system });
  });

  test("deviceOf() tells browsers apart, even after many different ones", () => {
    const agentOf = (number: number) =>
      `Mozilla/5.0 (${number % 2 ? "X11; Linux x86_64" : "Windows NT 10.0; Win64; x64"}) ${CHROME} Safari/537.36 ${number}/1`;
    const systems = Array.from({ length: 1200 }, (_, number) => deviceOf(agentOf(number)).system);
    expect(systems.filter((system, number) => system !== (number % 2 ? "Linux" : "Windows"))).toEqual([]);
    expect(deviceOf(agentOf(1199)).system).toBe("Linux");
  });

  test.each([
    undefined,
    "",
    " ",
    "/",
    "curl/8.9.1",
    "Your account is closed, call 0900 123 456 now/1 x",
    "x".repeat(100_000),
    "(".repeat(10_000),
    "Mozilla/5.0 (<script>alert(1)</script>)",
  ])("deviceOf(%p) repeats none of the header's text", (agent) => {
    expect(deviceOf(agent)).toEqual({});
  });
});
