/**
 * Well-known sites by what their account gives away, the heaviest first: a mailbox or a sign-in provider resets the passwords of
 * all others. A name matches itself and its subdomains.
 */
const CLASSES: readonly string[][] = [
  // Mail and sign-in providers; "google.com" with its sign-in pages.
  [
    ...["google.com", "gmail.com", "googlemail.com", "microsoftonline.com", "live.com", "outlook.com", "hotmail.com"],
    ...["apple.com", "icloud.com", "yahoo.com", "aol.com", "proton.me", "protonmail.com", "tutanota.com", "tuta.com"],
    ...[
      "gmx.net",
      "gmx.de",
      "gmx.ch",
      "gmx.at",
      "web.de",
      "mail.com",
      "mail.ru",
      "yandex.com",
      "yandex.ru",
      "zoho.com",
    ],
    ...[
      "fastmail.com",
      "posteo.de",
      "mailbox.org",
      "freenet.de",
      "t-online.de",
      "bluewin.ch",
      "orange.fr",
      "laposte.net",
    ],
    ...["free.fr", "sfr.fr", "libero.it", "tiscali.it", "virgilio.it", "sapo.pt", "seznam.cz", "wp.pl", "qq.com"],
    ...["okta.com", "auth0.com", "onelogin.com", "1password.com", "1password.eu", "bitwarden.com", "lastpass.com"],
    ...["dashlane.com", "keepersecurity.com"],
  ],
  // Money.
  [
    ...["paypal.com", "stripe.com", "wise.com", "revolut.com", "n26.com", "klarna.com", "twint.ch", "postfinance.ch"],
    ...["ubs.com", "raiffeisen.ch", "zkb.ch", "sparkasse.de", "dkb.de", "ing.de", "ing.com", "commerzbank.de"],
    ...[
      "deutsche-bank.de",
      "bnpparibas",
      "bnpparibas.com",
      "credit-agricole.fr",
      "societegenerale.fr",
      "labanquepostale.fr",
    ],
    ...["intesasanpaolo.com", "unicredit.it", "santander.com", "bbva.com", "bbva.es", "caixabank.es", "cgd.pt"],
    ...[
      "chase.com",
      "bankofamerica.com",
      "wellsfargo.com",
      "citi.com",
      "americanexpress.com",
      "barclays.co.uk",
      "hsbc.com",
    ],
    ...[
      "monzo.com",
      "venmo.com",
      "cash.app",
      "coinbase.com",
      "binance.com",
      "kraken.com",
      "bitpanda.com",
      "crypto.com",
    ],
    ...["blockchain.com", "etoro.com", "interactivebrokers.com", "swissquote.ch", "swissquote.com"],
  ],
  // Work and storage.
  [
    ...["office.com", "microsoft.com", "sharepoint.com", "office365.com", "slack.com", "zoom.us", "atlassian.com"],
    ...["atlassian.net", "notion.so", "github.com", "gitlab.com", "bitbucket.org", "dropbox.com", "box.com", "mega.nz"],
    ...[
      "onedrive.com",
      "wetransfer.com",
      "adobe.com",
      "amazonaws.com",
      "aws.amazon.com",
      "azure.com",
      "cloudflare.com",
    ],
    ...["digitalocean.com", "heroku.com", "godaddy.com", "namecheap.com", "hostinger.com", "ovh.com", "salesforce.com"],
    ...["hubspot.com", "docusign.com", "trello.com", "asana.com", "figma.com", "canva.com", "evernote.com"],
  ],
  // Shopping and social networks.
  [
    ...["amazon.com", "amazon.de", "amazon.co.uk", "amazon.fr", "amazon.it", "amazon.es", "ebay.com", "ebay.de"],
    ...["aliexpress.com", "temu.com", "shein.com", "zalando.com", "zalando.de", "zalando.ch", "otto.de", "digitec.ch"],
    ...["galaxus.ch", "ricardo.ch", "etsy.com", "walmart.com", "booking.com", "airbnb.com", "uber.com", "facebook.com"],
    ...["instagram.com", "whatsapp.com", "messenger.com", "threads.net", "twitter.com", "x.com", "linkedin.com"],
    ...["xing.com", "tiktok.com", "snapchat.com", "reddit.com", "pinterest.com", "discord.com", "telegram.org"],
    ...["tumblr.com", "twitch.tv", "vk.com", "tinder.com", "badoo.com"],
  ],
];

const CLASS_OF = new Map(CLASSES.flatMap((names, weight) => names.map((name) => [name, weight] as const)));

/** The class of the longest known name that the site is, or is below. */
function classOf(site: string): number {
  const [host = ""] = site.split(":");
  for (let name = host; name !== ""; name = name.includes(".") ? name.slice(name.indexOf(".") + 1) : "") {
    const known = CLASS_OF.get(name);
    if (known !== undefined) return known;
  }
  return CLASSES.length;
}

/** In the order in which their passwords are best changed; alphabetical within a class. */
export function byWeight(sites: readonly string[]): string[] {
  return sites
    .map((site) => ({ site, weight: classOf(site) }))
    .toSorted((one, other) => one.weight - other.weight || (one.site < other.site ? -1 : 1))
    .map(({ site }) => site);
}
