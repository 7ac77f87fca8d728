/** The product's name, in titles, mails and user agents. */
export const PRODUCT = "Breachbell";
export const VERSION = "0.1.0";
