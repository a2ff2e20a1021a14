/** Names of administrative levels that are no place: the districts or counties of a city or province. */
export const isCollectiveRegion = (name: string): boolean =>
  /^(市辖区|县|省直辖县级行政区划|自治区直辖县级行政区划)$/.test(name);
