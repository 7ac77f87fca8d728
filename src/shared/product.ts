/** The product's name, in titles, mails and user agents. */
export const PRODUCT = "Breachbell";
export const VERSION = "0.1.0";
/** Where HIBP's data came from; its licence (CC BY 4.0) asks for this link wherever the data is shown or sent. */
export const HIBP_URL = "https://haveibeenpwned.com";
