import type { FormErrors } from "@mantine/form";
import * as v from "valibot";
import { type SettingsInput, settingsInput } from "../../src/notifications/inputs.ts";
import type { Language } from "../../src/shared/language.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { ContactHealth } from "../api/api.ts";

/** Defaults of the form. */
export const DEFAULT_HOUR = 8;
const DEFAULT_QUIET = { from: "22:00", to: "07:00" };

/** The draft key of a contact's settings form. */
export function draftOfSettings(contactId: string): string {
  return `contacts/${contactId}`;
}

/** The fields of the form; "" means no choice. */
export type SettingsValues = {
  digestBelow: "" | "medium" | "high" | "critical";
  digestHour: string;
  hasQuiet: boolean;
  from: string;
  to: string;
  zone: string;
  language: "" | Language;
  discreet: boolean;
  /** Devices selected from those that the provider lists. */
  devices: string[];
  /** A device typed in, if the provider lists none. */
  device: string;
  emergency: boolean;
};

/** The form's values of a contact; `zone` is the user's time zone, the default if none is stored. */
export function settingsValuesOf({ settings, language }: ContactHealth, zone: string): SettingsValues {
  const { digestBelow, digestHour, quiet, device, devices, discreet, emergency } = settings;
  return {
    digestBelow: digestBelow === "always" ? "critical" : (digestBelow ?? ""),
    digestHour: String(digestHour ?? DEFAULT_HOUR),
    hasQuiet: quiet !== null,
    ...(quiet ?? DEFAULT_QUIET),
    zone: settings.zone ?? zone,
    language: language ?? "",
    discreet,
    devices: devices.length > 0 ? (device?.split(",") ?? []) : [],
    device: devices.length > 0 ? "" : (device ?? ""),
    emergency,
  };
}

/** The request body; settings that are switched off are omitted. */
export function settingsOf(values: SettingsValues): SettingsInput {
  const { digestBelow, digestHour, hasQuiet, from, to, zone, language, discreet, devices, device, emergency } = values;
  const named = devices.length > 0 ? devices.join(",") : device.trim();
  return {
    discreet,
    emergency,
    language: language === "" ? null : language,
    digestBelow: digestBelow === "" ? null : digestBelow,
    digestHour: digestBelow === "" ? null : Number(digestHour),
    quiet: hasQuiet ? { from, to } : null,
    zone: isTimed(values) ? zone : null,
    device: named === "" ? null : named,
  };
}

/** Whether a setting needs a time zone. */
export function isTimed({ digestBelow, hasQuiet }: SettingsValues): boolean {
  return digestBelow !== "" || hasQuiet;
}

/** Maps the error paths of the schema to the fields of the form. */
export function settingsFields(fields: Record<string, ErrorCode>): FormErrors {
  const names: Record<string, string> = { quiet: "to", "quiet.from": "from", "quiet.to": "to" };
  return Object.fromEntries(Object.entries(fields).map(([path, code]) => [names[path] ?? path, code]));
}

/** Error codes by field, from the schema that the server uses too. */
export function settingsErrors(values: SettingsValues): FormErrors {
  const { issues = [] } = v.safeParse(settingsInput, settingsOf(values));
  return settingsFields(
    Object.fromEntries(issues.map((issue) => [v.getDotPath(issue) ?? "", issue.message as ErrorCode])),
  );
}

/** An hour in the locale's notation: "8:00 AM", "08:00". */
export function hourText(hour: number, locale: string): string {
  return timeText(`${hour}:00`, locale);
}

/** The same for a time in "HH:MM". */
export function timeText(written: string, locale: string): string {
  const [hour = 0, minute = 0] = written.split(":").map(Number);
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  return format.format(Date.UTC(2000, 0, 1, hour, minute));
}

/** The time zones that the browser knows, and those in use even if it does not. */
export function zonesWith(...used: string[]): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...used])].toSorted();
}

export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
