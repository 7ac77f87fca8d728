/** Names of mailboxes that belong to a function instead of a person: RFC 2142, and what companies use in our six languages. */
const ROLES = new Set(
  [
    "abuse accounting accounts admin administrator administration all billing booking bookings careers ceo contact",
    "customerservice dataprotection dev dns dpo editor events finance ftp gdpr hello help helpdesk hostmaster hr info",
    "information invoice invoices it jobs legal list listserv mail mailer-daemon majordomo management marketing media news",
    "newsletter noc noreply no-reply office operations orders postmaster press privacy purchasing reception recruiting",
    "returns root sales security service services shop staff support sysadmin team tech usenet uucp web webmaster www",
    "bestellung bewerbung buchhaltung datenschutz einkauf empfang geschaeftsfuehrung kontakt kundendienst kundenservice",
    "personal presse rechnung rechnungen redaktion sekretariat verkauf vertrieb verwaltung werbung",
    "accueil achats boutique candidature commandes compta comptabilite direction facturation presse rh secretariat ventes",
    "acquisti amministrazione assistenza commerciale contabilita contatti direzione fatture lavoro ordini segreteria ufficio vendite",
    "administracion atencion compras contabilidad contacto empleo facturacion pedidos prensa recepcion rrhh soporte ventas",
    "administracao apoio atendimento compras comercial contabilidade contato contacto faturas financeiro geral imprensa loja vendas suporte",
  ].flatMap((line) => line.split(" ")),
);

/** A country, a language or a number; never the other half of a person's name. */
const OFFICE = /^([a-z]{2}|\d+)$/;

/** Whether the part of an address before the "@" names a function, such as `info` or `sales.de`; not `dev.patel`. */
export function isRole(alias: string): boolean {
  const [name = ""] = alias.split("+");
  const [role = "", office = "", ...more] = name.split(/[._]/);
  return ROLES.has(name) || (ROLES.has(role) && OFFICE.test(office) && more.length === 0);
}
