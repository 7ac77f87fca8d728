import { afterEach, describe, expect, test } from "bun:test";
import { readBreach } from "../../src/breaches/adapters/sources/hibp/hibp_model.ts";
import { feedOn } from "../support/hibp_feed.ts";
import { type HibpPeer, type HibpPeerOptions, startHibpPeer } from "../support/hibp_peer.ts";

const peers: HibpPeer[] = [];

async function peerWith(options: HibpPeerOptions = {}): Promise<HibpPeer> {
  const peer = await startHibpPeer(options);
  peers.push(peer);
  return peer;
}

afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.stop();
});

describe("HIBP catalogue", () => {
  const adobe = {
    Name: "Adobe",
    Title: "Adobe",
    Domain: "adobe.com",
    BreachDate: "2013-10-04",
    AddedDate: "2013-12-04T00:00Z",
    ModifiedDate: "2022-05-15T23:52:49.1234567Z",
    PwnCount: 1_957_476_021,
    Description: "Text",
    LogoPath: "Adobe.png",
    DataClasses: ["Email addresses", "Brain scans"],
    IsVerified: false,
    IsFabricated: false,
    IsSensitive: true,
    IsRetired: false,
    IsSpamList: true,
    NewKey: { of: "next year" },
  };

  test("12.29 12.30 12.34 readBreach() accepts old and new forms: missing optional keys, unknown keys and classes, short dates", () => {
    expect(readBreach(adobe)).toEqual({
      name: "Adobe",
      title: "Adobe",
      domain: "adobe.com",
      breachDate: "2013-10-04",
      addedDate: "2013-12-04T00:00:00Z",
      modifiedDate: "2022-05-15T23:52:49Z",
      pwnCount: 1_957_476_021,
      description: "Text",
      logoPath: "Adobe.png",
      attribution: undefined,
      disclosureUrl: undefined,
      dataClasses: ["Email addresses", "Brain scans"],
      flags: ["unverified", "sensitive", "spamList"],
    });
    const all = {
      ...adobe,
      IsFabricated: true,
      IsRetired: true,
      IsMalware: true,
      IsStealerLog: true,
      IsSubscriptionFree: true,
    };
    expect(readBreach({ ...all, Attribution: "A friend", DisclosureUrl: null })).toMatchObject({
      flags: [
        "unverified",
        "fabricated",
        "sensitive",
        "retired",
        "spamList",
        "malware",
        "stealerLog",
        "subscriptionFree",
      ],
      attribution: "A friend",
      disclosureUrl: undefined,
    });
  });

  test.each([
    ["no name", { Name: "" }],
    ["a number as title", { Title: 7 }],
    ["a day that does not exist", { BreachDate: "2015-02-30" }],
    ["a time without a zone", { AddedDate: "2013-12-04T00:00:00" }],
    ["an hour that does not exist", { ModifiedDate: "2013-12-04T25:00Z" }],
    ["a negative count", { PwnCount: -1 }],
    ["a fraction of an account", { PwnCount: 1.5 }],
    ["a missing flag that decides who may see it", { IsSensitive: undefined }],
    ["a title of characters that no database stores", { Title: "\0\0" }],
    ["a name that is too long for a key", { Name: "N".repeat(201) }],
    ["a category that is no text", { DataClasses: ["Passwords", null] }],
  ])("readBreach() rejects an entry with %s", (_, spoilt) => {
    expect(readBreach({ ...adobe, ...spoilt })).toBeUndefined();
  });

  test("readBreach() makes text well-formed, and drops a path that is too long for a key", () => {
    const spoilt = {
      ...adobe,
      Title: "Ado\ud83dbe\0",
      Description: "\udc00 lost",
      DataClasses: ["Pass\0words"],
      LogoPath: "x".repeat(1001),
    };
    expect(readBreach(spoilt)).toMatchObject({
      title: "Ado\ufffdbe",
      description: "\ufffd lost",
      dataClasses: ["Passwords"],
      logoPath: "",
    });
  });

  test("12.34 catalogue() names a few broken entries, and rejects a list with many", async () => {
    const peer = await peerWith();
    const feed = feedOn(peer);
    peer.publish({ Name: "Broken", BreachDate: "soon" });
    expect(await feed.catalogue()).toMatchObject({ kind: "catalogue", leftOut: ["Broken"] });
    peer.publish(Array.from({ length: 60 }, (_, i) => ({ Name: `Broken${i}`, PwnCount: "many" })));
    expect(await feed.catalogue()).toMatchObject({ kind: "later" });
  });
});
