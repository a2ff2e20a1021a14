/** The seven macro-regions by which statistics and quotations group provinces, in their usual order. */
export const macroRegions = [
  ["northeast", "东北"],
  ["north", "华北"],
  ["east", "华东"],
  ["central", "华中"],
  ["south", "华南"],
  ["southwest", "西南"],
  ["northwest", "西北"],
] as const;
export type MacroRegion = (typeof macroRegions)[number][0];

/** A province as tables and tile maps show it. */
export interface Province {
  /** GB/T 2260, two digits. */
  readonly code: string;
  /** Letters of the English name on the first of two lines, where a narrow tile has no room for it on one; 0 where it has. */
  readonly breakAt: number;
  /** Short name, a key of the translations. */
  readonly name: string;
  /** "" for provinces without published prices. */
  readonly macro: MacroRegion | "";
  /** Approximate position on the tile map, counted from 1. */
  readonly column: number;
  readonly row: number;
}

const at = (
  code: string,
  name: string,
  macro: Province["macro"],
  column: number,
  row: number,
  breakAt = 0,
): Province => ({
  code,
  breakAt,
  name,
  macro,
  column,
  row,
});

/** All provinces, grouped by macro-region. */
export const provinces: readonly Province[] = [
  at("23", "黑龙江", "northeast", 7, 1, 7),
  at("22", "吉林", "northeast", 7, 2),
  at("21", "辽宁", "northeast", 6, 2, 4),
  at("11", "北京", "north", 5, 2),
  at("12", "天津", "north", 6, 3),
  at("13", "河北", "north", 5, 3),
  at("14", "山西", "north", 4, 3),
  at("15", "内蒙古", "north", 4, 2, 5),
  at("31", "上海", "east", 7, 5, 5),
  at("32", "江苏", "east", 6, 5),
  at("33", "浙江", "east", 6, 6, 3),
  at("34", "安徽", "east", 5, 5),
  at("35", "福建", "east", 5, 7),
  at("36", "江西", "east", 5, 6),
  at("37", "山东", "east", 5, 4, 4),
  at("41", "河南", "central", 4, 4),
  at("42", "湖北", "central", 4, 5),
  at("43", "湖南", "central", 4, 6),
  at("44", "广东", "south", 4, 7, 5),
  at("45", "广西", "south", 3, 7),
  at("46", "海南", "south", 3, 8),
  at("50", "重庆", "southwest", 3, 5, 5),
  at("51", "四川", "southwest", 2, 5),
  at("52", "贵州", "southwest", 3, 6),
  at("53", "云南", "southwest", 2, 6),
  at("54", "西藏", "southwest", 1, 4),
  at("61", "陕西", "northwest", 3, 4),
  at("62", "甘肃", "northwest", 2, 3),
  at("63", "青海", "northwest", 2, 4),
  at("64", "宁夏", "northwest", 3, 3),
  at("65", "新疆", "northwest", 1, 3, 3),
  at("71", "台湾", "", 7, 7),
  at("81", "香港", "", 5, 8, 4),
  at("82", "澳门", "", 4, 8),
];

/** Provinces with published prices. */
export const pricedProvinces: readonly Province[] = provinces.filter(({ macro }) => macro !== "");
