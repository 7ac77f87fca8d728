import { BOUNCE_MAILS, report } from "./bounce_mails.ts";

/** Servers that support SMTPUTF8 use another report type (RFC 6533) and may encode it. */
export function international(to: string): string {
  const status = "Final-Recipient: utf-8; zoë@else.example\r\nAction: failed\r\nStatus: 5.1.1\r\n";
  const part = ["Content-Type: message/global-delivery-status", "Content-Transfer-Encoding: base64", ""];
  return report(
    "edge",
    [`To: ${to}`, "MIME-Version: 1.0", "Content-Type: multipart/report; report-type=delivery-status; boundary=edge"],
    [[...part, Buffer.from(`Reporting-MTA: dns; mx.else.example\r\n\r\n${status}`).toString("base64"), ""]],
  );
}

/** Mails to the bounce address that are not delivery reports. */
export const NO_BOUNCES: Record<string, (to: string) => string> = {
  "an answer from the beach": (to) =>
    [`To: ${to}`, "From: carol@else.example", "Subject: Out of office", "", "Status: 5.1.1", "Action: failed"].join(
      "\r\n",
    ),
  "a complaint": (to) =>
    report(
      "edge",
      [`To: ${to}`, "MIME-Version: 1.0", "Content-Type: multipart/report; report-type=feedback-report; boundary=edge"],
      [["Content-Type: message/feedback-report", "", "Feedback-Type: abuse", "Status: 5.1.1", "Action: failed", ""]],
    ),
  "a report without a status": (to) =>
    report(
      "edge",
      [`To: ${to}`, "MIME-Version: 1.0", "Content-Type: multipart/report; report-type=delivery-status; boundary=edge"],
      [["Content-Type: message/delivery-status", "", "Reporting-MTA: dns; x", "", "Action: failed", ""]],
    ),
  "a report of somebody else's mail": () => BOUNCE_MAILS.Postfix.raw("newsletter@breachbell.example"),
  "a report of a delay": (to) => BOUNCE_MAILS.Postfix.raw(to, { action: "delayed", status: "4.4.1" }),
  "a report of success": (to) => BOUNCE_MAILS.Exim.raw(to, { action: "delivered", status: "2.0.0" }),
  "no mail at all": () => "\u0000\u0001 nonsense",
  nothing: () => "",
};
