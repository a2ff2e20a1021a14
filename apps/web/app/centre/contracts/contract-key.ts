/** Name of the list of a customer's contracts. */
export const contractListName = "contract_manage";

/** Of what a customer's screens read of contracts. */
export const contractKey = ["resource", contractListName] as const;
