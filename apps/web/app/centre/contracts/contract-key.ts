/** Of what a customer's screens read of contracts. */
export const contractKey = ["contracts"] as const;
