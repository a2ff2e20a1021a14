/** Login names are compared without regard to case, width and surrounding space. */
export const accountKey = (account: string): string => account.normalize("NFKC").trim().toLowerCase();
