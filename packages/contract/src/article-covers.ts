/** Drawings that ship with the product, which an article may use as its cover or in its body. */
export const articleCovers = [
  ["environment", "通风的猪舍"],
  ["biosafety", "洗消通道"],
  ["smart-farm", "几栋猪舍"],
  ["deodorization", "除臭塔"],
  ["manure-water", "粪水池"],
  ["farmland", "农田"],
  ["farm-design", "图纸"],
  ["feed-mill", "饲料厂"],
  ["farm-monitoring", "场区"],
  ["park-monitoring", "园区"],
] as const;
export type ArticleCover = (typeof articleCovers)[number][0];
