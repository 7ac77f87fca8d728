import MailComposer from "nodemailer/lib/mail-composer";

type Mailbox = { name: string; address: string };
export type Mail = {
  from: Mailbox;
  /** As an object, because a string would be parsed and could name several recipients. */
  to: Mailbox;
  replyTo?: Mailbox;
  subject: string;
  messageId: string;
  date: Date;
  /** Further headers. */
  headers: Record<string, string>;
  text: string;
  html: string;
};

/** A mail may contain no carriage return without a line feed (RFC 5322, 2.3). */
const inLines = (text: string) => text.replaceAll(/\r\n?/g, "\n");

/** The mail as it is sent: no line is longer than 76 characters, and all of them are ASCII. */
export function mimeOf({ text, html, ...mail }: Mail): Promise<Buffer> {
  const parts = {
    text: inLines(text),
    html: inLines(html),
    textEncoding: "quoted-printable",
    newline: "windows",
  } as const;
  return new MailComposer({ ...mail, ...parts, disableFileAccess: true, disableUrlAccess: true }).compile().build();
}
