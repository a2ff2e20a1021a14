/** A formatted number with the sign for minus in place of the hyphen that Intl writes. */
export const trueMinus = (formatted: string): string => formatted.replace("-", "−");
