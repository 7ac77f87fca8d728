import type { KnownDataClass } from "../../src/shared/data_groups.ts";
import { CARD, CIRCLE, HEART, SLIP } from "./group_icon_paths.ts";

/** Icons of the most severe and most frequent kinds; the others use their group's. */
export const CLASS_PATHS: Partial<Record<KnownDataClass, string>> = {
  // A padlock.
  passwords: "M6 11h12v9H6zM8.5 11V8a3.5 3.5 0 0 1 7 0v3M12 14.5v2",
  // A clock.
  "historical-passwords": `${CIRCLE}M12 7.5V12l3.5 2`,
  // An admission ticket.
  "auth-tokens": "M3 6h18v3.5a2.5 2.5 0 0 0 0 5V18H3v-3.5a2.5 2.5 0 0 0 0-5zM14 6v2M14 11v2M14 16v2",
  "security-questions-and-answers":
    "M4 4h16v12h-8l-5 4v-4H4zM10.3 8.3a1.8 1.8 0 1 1 2.5 1.6c-.6.2-.8.6-.8 1.2M12 13.4h.01",
  // A name badge.
  usernames: "M4 7h16v13H4zM9.5 7V3.5h5V7M8 12h8M9.5 16h5",
  // A list of words.
  "mnemonic-phrases": "M4 4h16v16H4zM7.5 8.5h3M7.5 12h3M7.5 15.5h3M13.5 8.5h3M13.5 12h3M13.5 15.5h3",
  "credit-cards": `${SLIP}M3 10h18M6.5 14.5h4`,
  // The back of a card.
  "credit-card-cvv": `${SLIP}M3 9h18M6 13.5h4M13 12h5v3h-5z`,
  "partial-credit-card-data": "M11 18H3V6h18v4.5M3 10h13M14 15h.01M17 15h.01M20 15h.01M14 18h.01M17 18h.01M20 18h.01",
  // A bank.
  "bank-account-numbers": "M3 9l9-5 9 5zM5.5 9v8M10 9v8M14 9v8M18.5 9v8M4 17h16M3 20h18",
  // Keys to type on.
  pins: "M6 3h12v18H6zM9.5 8h.01M12 8h.01M14.5 8h.01M9.5 12h.01M12 12h.01M14.5 12h.01M9.5 16h.01M12 16h.01M14.5 16h.01",
  "passport-numbers": "M6 3h12v18H6zM12 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6M9 10h6M9.5 17h5",
  // A card with a seal.
  "government-issued-ids": `${CARD}M6.5 9.5h5M6.5 13h5M16 9a2 2 0 1 0 0 4 2 2 0 0 0 0-4M15 12.8V16l1-.8 1 .8v-3.2`,
  // A card with a number.
  "social-security-numbers": `${CARD}M8 9l-1 6M11.5 9l-1 6M5.8 11h6.2M5.5 13h6.2M15 10h3M15 14h3`,
  // A steering wheel.
  "drivers-licenses": `${CIRCLE}M12 10.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3M3.3 10l7.3 1.5M20.7 10l-7.3 1.5M12 13.5V21`,
  // A fingerprint.
  "biometric-data":
    "M12 11.5V15c0 2-.4 3.6-1.2 5M8.3 18.5c.8-1.3 1.2-3 1.2-5v-2.2a2.5 2.5 0 0 1 5 0V15c0 1.7-.2 3.2-.7 4.5M6 15.5c.4-1 .6-2 .6-3v-1.3a5.4 5.4 0 0 1 10.8 0V15M4.5 9a8 8 0 0 1 15 0",
  // A doctor's sheet.
  "personal-health-data": "M6 5h12v16H6zM9.5 5V3h5v2M12 10v6M9 13h6",
  // A bubble with lines.
  "private-messages": "M4 4h16v12h-9l-4 4v-4H4zM8 8.5h8M8 12h5",
  // An opened letter.
  "email-messages": "M3 10l9-6 9 6v10H3zM3 10l9 6 9-6",
  // A letter.
  "email-addresses": `${SLIP}M3.5 6.5 12 13l8.5-6.5`,
  // A receiver.
  "phone-numbers":
    "M6.5 3.5 9.5 4l1 4-2 1.8a12 12 0 0 0 5.7 5.7l1.8-2 4 1 .5 3c0 1.6-1.2 3-3 3-7 0-14-7-14-14 0-1.8 1.4-3 3-3",
  // A house.
  "physical-addresses": "M4 11l8-7 8 7M6 9.5V20h12V9.5M10 20v-5h4v5",
  // A birthday cake.
  "dates-of-birth":
    "M4 20h16v-7H4zM4 16.5c1.3 1 2.7 1 4 0 1.3 1 2.7 1 4 0 1.3 1 2.7 1 4 0 1.3 1 2.7 1 4 0M12 13V9.5M12 6.5V5",
  // A name written on a line.
  names: "M4 20h16M5 16l3.5-11h1L13 16M6.5 12h5M15.5 16v-3.5a2 2 0 1 1 4 0V16M15.5 10v6",
  genders: "M10.5 7a4 4 0 1 0 0 8 4 4 0 0 0 0-8M13.4 8.1 18 3.5M14.5 3.5H18V7M10.5 15v6M8 18.5h5",
  // A globe.
  "ip-addresses": `${CIRCLE}M3 12h18M12 3c2.5 2.5 3.7 5.5 3.7 9s-1.2 6.5-3.7 9c-2.5-2.5-3.7-5.5-3.7-9S9.5 5.5 12 3`,
  // A map.
  "geographic-locations": "M3 6.5 9 4l6 2.5L21 4v13.5L15 20l-6-2.5L3 20zM9 4v13.5M15 6.5V20",
  // Cross hairs.
  "latitude-and-longitude-pairs": "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14M12 2v6M12 16v6M2 12h6M16 12h6",
  // A picture of hills.
  photos: `${CARD}M8 8.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3M4 18l5.5-5 4 3.5 3-2.5 4 3.5`,
  "sexual-orientations": HEART,
  // A receipt.
  purchases: "M6 3h12v18l-2-1.5-2 1.5-2-1.5-2 1.5-2-1.5L6 21zM9 8h6M9 12h6",
  // A mobile phone.
  "device-information": "M7 3h10v18H7zM11 18h2",
  // Three that are connected.
  "social-media-profiles":
    "M17.5 3.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M6.5 9.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M17.5 15.8a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4M8.5 11l7-4M8.5 13l7 4",
  // A house of offices.
  employers: "M5 21V4h9v17M14 9h5v12M3 21h18M8 8h3M8 12h3M8 16h3",
};
