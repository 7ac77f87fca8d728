import { describe, expect, test } from "bun:test";
import { bundledCatalogue } from "../../src/breaches/adapters/sources/bundled/bundled.ts";
import { contentOf } from "../../src/breaches/catalogue/breach.ts";
import { storageOf } from "../../src/breaches/catalogue/password_storage.ts";
import { dataClassKey, type PasswordStorage } from "../../src/shared/breach.ts";
import { aBreach } from "../support/builders.ts";

/** Classified by hand from the catalogue's descriptions. */
const READ: Record<PasswordStorage, string[]> = {
  plain: [
    ...["000webhost", "Fling", "Yahoo", "Brazzers", "BigMoneyJobs", "Neopets", "Knuddels", "WPT", "VK"],
    // Several methods, one of them readable.
    ...["AdultFanFiction", "GamesBox", "KomplettFritid", "Gaadi", "Shadi", "AbuseWithUs", "RussianAmerica"],
    // Cracked before they were passed on.
    ...["imgur", "LeagueOfLegends", "MallCZ", "MortalOnline", "DevilTorrents", "SubaGames"],
    ...["Bell", "Yatra", "ThePostMillennial", "KayoMoe"],
  ],
  weak: [
    ...["LinkedIn", "Lastfm", "123RF", "17173", "Zynga", "MyHeritage", "Tokopedia", "Zacks2024", "WifeLovers"],
    // The hint was readable, the password was not.
    "Adobe",
    // Cracked later, but not stored in a readable form.
    ...["BattlefieldHeroes", "PixelFederation"],
    // The weakest of several methods counts.
    ...["Dropbox", "500px", "MyFitnessPal", "Bitly", "SurveyLama", "Bukalapak", "Thingiverse", "AnimeLeague"],
    ...["Plex", "devkitPro", "Insanelyi", "KodiFoundation", "TheTVDB", "NVIDIA", "Avvo", "XKCD"],
    // Readable questions and answers next to hashes.
    "gPotato",
  ],
  strong: [
    ...["Canva", "Dailymotion", "Patreon", "InternetArchive", "Wattpad", "Edmodo", "HLTV", "MangaDex"],
    ...["Dubsmash", "CanadianTire", "StoryBird", "InstantCheckmate", "TruthFinder", "RaidForums", "BreachForums"],
    // Readable hints or answers are not readable passwords.
    ...["TheClubPenguinExperience", "Liker"],
  ],
  unknown: [
    ...["Avast", "Houzz", "Animoto", "MyVidster", "XSplit", "Interpals", "EyeEm", "Ticketek", "MCBans", "Yonema"],
    // The description does not say.
    ...["AshleyMadison", "Gawker", "Forbes", "Vodafone", "JobStreet", "AntiPublic"],
    // "Mostly" bcrypt: the rest is unknown.
    "Ethereum",
    // The weak hashes are those of the answers to security questions.
    "BitcoinTalk",
    // Postal codes in plain text.
    "DailyObjects",
  ],
};

describe("storageOf()", () => {
  const breaches = bundledCatalogue().then((catalogue) => catalogue.breaches);

  test.each(Object.entries(READ).flatMap(([storage, names]) => names.map((name) => [name, storage])))(
    "classifies %s's description as %s",
    async (name, storage) => {
      const breach = (await breaches).find((one) => one.name === name);
      expect(breach?.name).toBe(name ?? "");
      expect(breach && storageOf(breach)).toBe(storage as PasswordStorage);
    },
  );

  test("returns nothing for entries without passwords, and something for all others", async () => {
    for (const breach of await breaches) {
      const keys = breach.dataClasses.map(dataClassKey);
      const has = keys.includes("passwords") || keys.includes("historical-passwords");
      expect({ name: breach.name, isNull: storageOf(breach) === null }).toEqual({ name: breach.name, isNull: !has });
    }
  });

  test("never classifies an entry as strong that names a second method", async () => {
    const strong = (await breaches).filter((breach) => storageOf(breach) === "strong");
    expect(strong.length).toBeGreaterThan(100);
    const second =
      /md5|sha-?\d|phpass|\bdes(?:crypt)?\b|plain ?text(?! password hints|,? passwords stored as bcrypt)|hashed formats/i;
    expect(strong.filter(({ description }) => second.test(description)).map(({ name }) => name)).toEqual([]);
  });

  test("uses the weaker of a source's explicit value and its description", () => {
    const bcrypt = { dataClasses: ["Passwords"], description: "Passwords stored as bcrypt hashes." };
    expect(storageOf({ ...bcrypt, storageSaid: "plain" })).toBe("plain");
    expect(storageOf({ ...bcrypt, storageSaid: "strong" })).toBe("strong");
    expect(storageOf({ ...bcrypt, description: "", storageSaid: "weak" })).toBe("weak");
    expect(storageOf({ ...bcrypt, description: "MD5 hashes", storageSaid: "strong" })).toBe("weak");
    expect(storageOf({ ...bcrypt, dataClasses: ["Names"], storageSaid: "plain" })).toBeNull();
  });
});

describe("contentOf()", () => {
  test("is unchanged for HIBP's entries since before password storage was classified", () => {
    expect(contentOf(aBreach())).toBe(
      JSON.stringify([
        ...["Adobe", "adobe.example", "2013-10-04", "2013-12-04T00:00:00Z", "2022-05-15T23:52:49Z"],
        ...[["Email addresses", "Passwords"], [], 152_445_165, "In October 2013, <em>Adobe</em> was breached."],
        ...["https://logos.example/Adobe.png", null, null],
      ]),
    );
    expect(contentOf(aBreach({ storageSaid: "weak" }))).not.toBe(contentOf(aBreach()));
  });
});
