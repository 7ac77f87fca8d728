/**
 * Domains at which strangers get mailboxes, so that none of them can speak for the others. Kept by hand from the providers' own
 * pages; national domains of the large ones are covered by the patterns below.
 */
const PUBLIC = new Set(
  [
    "aol.com aim.com att.net bellsouth.net charter.net comcast.net cox.net earthlink.net gmail.com googlemail.com",
    "hey.com hotmail.com hushmail.com icloud.com mac.com mail.com me.com msn.com outlook.com passport.com pm.me proton.me",
    "protonmail.ch protonmail.com rocketmail.com sbcglobal.net skiff.com tuta.com tuta.io tutamail.com tutanota.com",
    "tutanota.de keemail.me verizon.net yahoo.com ymail.com zoho.com zohomail.com zohomail.eu fastmail.com fastmail.fm",
    "duck.com mozmail.com simplelogin.com simplelogin.fr aleeas.com slmail.me 8alias.com 8shield.net dralias.com",
    "anonaddy.com anonaddy.me addy.io addymail.com passmail.net passinbox.com passfwd.com privaterelay.appleid.com",
    "arcor.de email.de freenet.de gmx.at gmx.ch gmx.com gmx.de gmx.eu gmx.fr gmx.info gmx.net kabelmail.de magenta.de",
    "mailbox.org mail.de online.de posteo.de posteo.net t-online.de unitybox.de unity-mail.de vodafone.de vodafonemail.de",
    "web.de aon.at chello.at bluewin.ch hispeed.ch sunrise.ch swissonline.ch",
    "9online.fr aliceadsl.fr bbox.fr club-internet.fr free.fr laposte.net neuf.fr numericable.fr orange.fr sfr.fr wanadoo.fr",
    "alice.it fastwebnet.it inwind.it iol.it libero.it pec.it postecert.it tin.it tiscali.it virgilio.it tim.it",
    "telefonica.net terra.es ya.com ono.com movistar.es bol.com.br globo.com ig.com.br r7.com terra.com.br uol.com.br",
    "clix.pt iol.pt mail.telepac.pt netcabo.pt sapo.pt",
    "btinternet.com btopenworld.com blueyonder.co.uk ntlworld.com sky.com talktalk.net tiscali.co.uk virginmedia.com",
    "bigpond.com optusnet.com.au rogers.com shaw.ca sympatico.ca telus.net videotron.ca",
    "126.com 139.com 163.com aliyun.com foxmail.com naver.com daum.net hanmail.net qq.com sina.com sohu.com yeah.net",
    "bk.ru inbox.ru internet.ru list.ru mail.ru rambler.ru ya.ru yandex.com yandex.ru ukr.net i.ua meta.ua",
    "abv.bg centrum.cz email.cz seznam.cz post.cz azet.sk interia.pl o2.pl onet.pl op.pl poczta.onet.pl wp.pl tlen.pl",
    "freemail.hu citromail.hu indamail.hu mail.ee inbox.lv telia.com bredband.net online.no broadpark.no kolumbus.fi luukku.com",
    "rediffmail.com indiatimes.com walla.co.il walla.com mynet.com skynet.be telenet.be ziggo.nl xs4all.nl kpnmail.nl home.nl",
    "email.com usa.com engineer.com consultant.com europe.com post.com dr.com asia.com online.ms o2online.de firemail.de",
    "eclipso.de posteo.at posteo.ch bluemail.ch caramail.com voila.fr noos.fr cegetel.net tele2.fr tiscali.fr email.it vodafone.it",
    "teletu.it planet.nl hetnet.nl chello.nl upcmail.nl casema.nl spray.se comhem.se telenor.no vp.pl gazeta.pl go2.pl bigmir.net",
    "narod.ru lenta.ru dir.bg otenet.gr juno.com netzero.net excite.com lycos.com netscape.net rr.com roadrunner.com optonline.net",
    "windstream.net frontier.com centurylink.net mindspring.com uol.com fibertel.com.ar terra.cl prodigy.net.mx xtra.co.nz",
    "iinet.net.au westnet.com.au virgin.net freeserve.co.uk plus.com plusnet.com eircom.net",
    "cock.li disroot.org riseup.net autistici.org systemli.org startmail.com runbox.com mailfence.com countermail.com ctemplar.com",
    "guerrillamail.com mailinator.com yopmail.com 10minutemail.com trashmail.com temp-mail.org sharklasers.com getnada.com",
  ].flatMap((line) => line.split(" ")),
);
/** Their national domains, such as hotmail.co.uk and yahoo.com.br. */
const NATIONAL =
  /^(hotmail|live|outlook|msn|windowslive|yahoo|ymail|gmx|yandex|aol|mail|inbox|icloud)\.(com?\.)?[a-z]{2,3}$/;
/** `anything@name.fastmail.com` belongs to a customer's mailbox. */
const PARENTS = ["fastmail.com", "fastmail.fm", "appleid.com", "anonaddy.com", "anonaddy.me", "mozmail.com"];

/** Whether a provider gives mailboxes at this domain to the public, or one of its customers has it as a subdomain. */
export function isPublicProvider(domain: string): boolean {
  return PUBLIC.has(domain) || NATIONAL.test(domain) || PARENTS.some((parent) => domain.endsWith(`.${parent}`));
}
