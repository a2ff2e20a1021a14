/** Of what the group's desk reads of contracts. */
export const deskKey = ["contract-desk"] as const;
