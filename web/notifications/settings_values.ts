import type { FormErrors } from "@mantine/form";
import * as v from "valibot";
import { type SettingsInput, settingsInput } from "../../src/notifications/inputs.ts";
import type { Language } from "../../src/shared/language.ts";
import type { ErrorCode } from "../../src/shared/result.ts";
import type { ContactHealth } from "../api/api.ts";

/** When nothing else was chosen. */
export const DEFAULT_HOUR = 8;
const DEFAULT_QUIET = { from: "22:00", to: "07:00" };

/** The name under which the form of a contact is kept when the session ends. */
export function draftOfSettings(contactId: string): string {
  return `contacts/${contactId}`;
}

/** The fields of the form; "" where nothing was chosen. */
export type SettingsValues = {
  digestBelow: "" | "medium" | "high" | "critical";
  digestHour: string;
  hasQuiet: boolean;
  from: string;
  to: string;
  zone: string;
  language: "" | Language;
  discreet: boolean;
  /** Of those that the provider told of. */
  devices: string[];
  /** Typed, where it told of none. */
  device: string;
  emergency: boolean;
};

/** `zone` is the reader's own, proposed where none was chosen. */
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

/** What the server is sent: only what is in force. */
export function settingsOf(values: SettingsValues): SettingsInput {
  const { digestBelow, digestHour, hasQuiet, from, to, zone, language, discreet, devices, device, emergency } = values;
  const named = devices.length > 0 ? devices.join(",") : device.trim();
  return {
    ...{ discreet, emergency },
    language: language === "" ? null : language,
    digestBelow: digestBelow === "" ? null : digestBelow,
    digestHour: digestBelow === "" ? null : Number(digestHour),
    quiet: hasQuiet ? { from, to } : null,
    zone: isTimed(values) ? zone : null,
    device: named === "" ? null : named,
  };
}

/** A time of day means something only in a zone. */
export function isTimed({ digestBelow, hasQuiet }: SettingsValues): boolean {
  return digestBelow !== "" || hasQuiet;
}

/** The schema's paths under the form's names. */
export function settingsFields(fields: Record<string, ErrorCode>): FormErrors {
  const names: Record<string, string> = { quiet: "to", "quiet.from": "from", "quiet.to": "to" };
  return Object.fromEntries(Object.entries(fields).map(([path, code]) => [names[path] ?? path, code]));
}

/** The codes of what may not be sent yet, from the schema that the server uses too. */
export function settingsErrors(values: SettingsValues): FormErrors {
  const { issues = [] } = v.safeParse(settingsInput, settingsOf(values));
  return settingsFields(
    Object.fromEntries(issues.map((issue) => [v.getDotPath(issue) ?? "", issue.message as ErrorCode])),
  );
}

/** An hour of the day as people write it: "8:00 AM", "08:00". */
export function hourText(hour: number, locale: string): string {
  return timeText(`${hour}:00`, locale);
}

/** Likewise of "HH:MM". */
export function timeText(written: string, locale: string): string {
  const [hour = 0, minute = 0] = written.split(":").map(Number);
  const format = new Intl.DateTimeFormat(locale, { timeStyle: "short", timeZone: "UTC" });
  return format.format(Date.UTC(2000, 0, 1, hour, minute));
}

/** The zones that the browser knows, and those that are in use whether it knows them or not. */
export function zonesWith(...used: string[]): string[] {
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ...used])].toSorted();
}

export function ownZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
