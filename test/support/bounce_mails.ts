/** Bounce mails in the formats of various mail servers; `to` is our envelope sender. */
type Shape = {
  raw: (to: string, options?: { status?: string; action?: string }) => string;
  status: string;
  /** The remote server's reply, on one line. */
  diagnostic: string;
};

const ORIGINAL = [
  "Content-Type: message/rfc822",
  "",
  "From: Breachbell <alerts@breachbell.example>",
  "To: carol@else.example",
  "Subject: Data breach: Adobe",
  "Content-Type: text/plain; charset=utf-8",
  "",
  "Action: none of a server's",
  "",
];

/** The MIME parts between their boundaries, as transmitted. */
export function report(boundary: string, head: string[], parts: string[][]): string {
  const body = parts.flatMap((part) => [`--${boundary}`, ...part]);
  return [...head, "", ...body, `--${boundary}--`, ""].join("\r\n");
}

export const BOUNCE_MAILS = {
  Postfix: {
    status: "5.1.1",
    diagnostic: "550 5.1.1 <carol@else.example>: Recipient address rejected: User unknown in virtual mailbox table",
    raw: (to, { status = "5.1.1", action = "failed" } = {}) =>
      report(
        "4Xv1Lq1zq7z.1795334400/mx.relay.example",
        [
          "Return-Path: <>",
          "Received: by mx.relay.example (Postfix) id 4Xv1Lq1zq7z; Sun, 22 Nov 2026 08:00:00 +0000 (UTC)",
          "Date: Sun, 22 Nov 2026 08:00:00 +0000 (UTC)",
          "From: MAILER-DAEMON@mx.relay.example (Mail Delivery System)",
          "Subject: Undelivered Mail Returned to Sender",
          `To: ${to}`,
          "Auto-Submitted: auto-replied",
          "MIME-Version: 1.0",
          "Content-Type: multipart/report; report-type=delivery-status;",
          '\tboundary="4Xv1Lq1zq7z.1795334400/mx.relay.example"',
          "Content-Transfer-Encoding: 8bit",
        ],
        [
          [
            "Content-Description: Notification",
            "Content-Type: text/plain; charset=utf-8",
            "",
            "I'm sorry to have to inform you that your message could not",
            "be delivered to one or more recipients.",
            "",
          ],
          [
            "Content-Description: Delivery report",
            "Content-Type: message/delivery-status",
            "",
            "Reporting-MTA: dns; mx.relay.example",
            "X-Postfix-Queue-ID: 4Xv1Lq1zq7z",
            `X-Postfix-Sender: rfc822; ${to}`,
            "Arrival-Date: Sun, 22 Nov 2026 07:59:58 +0000 (UTC)",
            "",
            "Final-Recipient: rfc822; carol@else.example",
            "Original-Recipient: rfc822;carol@else.example",
            `Action: ${action}`,
            `Status: ${status}`,
            "Remote-MTA: dns; mx.else.example",
            "Diagnostic-Code: smtp; 550 5.1.1 <carol@else.example>: Recipient address",
            "    rejected: User unknown in virtual mailbox table",
            "",
          ],
          ["Content-Description: Undelivered Message", ...ORIGINAL],
        ],
      ),
  },
  Exim: {
    status: "5.0.0",
    diagnostic: "550 No such user here",
    raw: (to, { status = "5.0.0", action = "failed" } = {}) =>
      report(
        "1795334400-eximdsn-1804289383",
        [
          "Received: from Debian-exim by mail.relay.example with local (Exim 4.98)",
          "\tid 1vMabc-000000001Xy-2aBc",
          `\tfor ${to};`,
          "\tSun, 22 Nov 2026 08:00:00 +0000",
          "X-Failed-Recipients: carol@else.example",
          "Auto-Submitted: auto-replied",
          "From: Mail Delivery System <Mailer-Daemon@mail.relay.example>",
          `To: ${to}`,
          "References: <0195f2b0-0000-7000-8000-000000000001@breachbell.example>",
          "Content-Type: multipart/report; report-type=delivery-status; boundary=1795334400-eximdsn-1804289383",
          "MIME-Version: 1.0",
          "Subject: Mail delivery failed: returning message to sender",
        ],
        [
          [
            "Content-type: text/plain; charset=us-ascii",
            "",
            "This message was created automatically by mail delivery software.",
            "",
            "  carol@else.example",
            "    host mx.else.example [192.0.2.25]",
            "    SMTP error from remote mail server after RCPT TO:<carol@else.example>:",
            "    550 No such user here",
            "",
          ],
          [
            "Content-type: message/delivery-status",
            "",
            "Reporting-MTA: dns; mail.relay.example",
            "",
            `Action: ${action}`,
            "Final-Recipient: rfc822;carol@else.example",
            `Status: ${status}`,
            "Remote-MTA: dns; mx.else.example",
            "Diagnostic-Code: smtp; 550 No such user here",
            "",
          ],
          ORIGINAL,
        ],
      ),
  },
  Exchange: {
    status: "5.1.10",
    diagnostic:
      "550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient carol@else.example not found by SMTP address lookup",
    raw: (to, { status = "5.1.10", action = "failed" } = {}) =>
      report(
        "b3f5b9a2-7d21-4a53-9d0e-6a1c4f1d2e3f",
        [
          "From: <postmaster@else.example>",
          `To: <${to}>`,
          "Date: Sun, 22 Nov 2026 08:00:01 +0000",
          "Content-Type: multipart/report; report-type=delivery-status;",
          '\tboundary="b3f5b9a2-7d21-4a53-9d0e-6a1c4f1d2e3f"',
          "X-MS-Exchange-Message-Is-Ndr:",
          "Content-Language: en-US",
          "In-Reply-To: <0195f2b0-0000-7000-8000-000000000001@breachbell.example>",
          "Subject: Undeliverable: Data breach: Adobe",
          "Auto-Submitted: auto-replied",
          "MIME-Version: 1.0",
        ],
        [
          [
            'Content-Type: multipart/alternative; differences=Content-Type; boundary="inner-alternative"',
            "",
            "--inner-alternative",
            'Content-Type: text/plain; charset="us-ascii"',
            "Content-Transfer-Encoding: quoted-printable",
            "",
            "Delivery has failed to these recipients or groups:=0D=0A",
            "",
            "--inner-alternative",
            'Content-Type: text/html; charset="us-ascii"',
            "Content-Transfer-Encoding: quoted-printable",
            "",
            "<html><body>Delivery has failed</body></html>",
            "",
            "--inner-alternative--",
            "",
          ],
          [
            "Content-Type: message/delivery-status",
            "",
            "Reporting-MTA: dns;AM0PR01MB1234.eurprd01.prod.else.example",
            "Received-From-MTA: dns;mail-1.relay.example",
            "Arrival-Date: Sun, 22 Nov 2026 08:00:01 +0000",
            "",
            "Original-Recipient: rfc822;carol@else.example",
            "Final-Recipient: rfc822;carol@else.example",
            `Action: ${action}`,
            `Status: ${status}`,
            "Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient carol@else.example not found by SMTP address lookup",
            "",
          ],
          ORIGINAL,
        ],
      ),
  },
  Gmail: {
    status: "5.1.1",
    diagnostic:
      "550-5.1.1 The email account that you tried to reach does not exist. Please try 550-5.1.1 double-checking the recipient's email address for typos or 550 5.1.1 unnecessary spaces. - gsmtp",
    raw: (to, { status = "5.1.1", action = "failed" } = {}) =>
      report(
        "000000000000a1b2c30644f0d5e6",
        [
          `Delivered-To: ${to}`,
          "Return-Path: <>",
          'Content-Type: multipart/report; boundary="000000000000a1b2c30644f0d5e6"; report-type=delivery-status',
          `To: ${to}`,
          "X-Failed-Recipients: carol@else.example",
          "Auto-Submitted: auto-replied",
          "From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>",
          "Subject: Delivery Status Notification (Failure)",
          "MIME-Version: 1.0",
          "Date: Sun, 22 Nov 2026 00:00:01 -0800 (PST)",
        ],
        [
          [
            'Content-Type: multipart/related; boundary="related-part"',
            "",
            "--related-part",
            'Content-Type: text/plain; charset="UTF-8"',
            "",
            "** Address not found **",
            "",
            "--related-part",
            'Content-Type: image/png; name="icon.png"',
            'Content-Disposition: attachment; filename="icon.png"',
            "Content-Transfer-Encoding: base64",
            "Content-ID: <icon.png>",
            "",
            "iVBORw0KGgo=",
            "",
            "--related-part--",
            "",
          ],
          [
            "Content-Type: message/delivery-status",
            "",
            "Reporting-MTA: dns; googlemail.com",
            "Received-From-MTA: dns; alerts@breachbell.example",
            "Arrival-Date: Sun, 22 Nov 2026 00:00:00 -0800 (PST)",
            "X-Original-Message-ID: <0195f2b0-0000-7000-8000-000000000001@breachbell.example>",
            "",
            "Final-Recipient: rfc822; carol@else.example",
            `Action: ${action}`,
            `Status: ${status}`,
            "Remote-MTA: dns; mx.else.example. (192.0.2.25, the server for the domain else.example.)",
            "Diagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist. Please try",
            " 550-5.1.1 double-checking the recipient's email address for typos or",
            " 550 5.1.1 unnecessary spaces. - gsmtp",
            "Last-Attempt-Date: Sun, 22 Nov 2026 00:00:01 -0800 (PST)",
            "",
          ],
          ORIGINAL,
        ],
      ),
  },
} satisfies Record<string, Shape>;
