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
  /** ISO 3166-2:CN. */
  readonly letters: string;
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
  letters: string,
  name: string,
  macro: Province["macro"],
  column: number,
  row: number,
): Province => ({
  code,
  letters,
  name,
  macro,
  column,
  row,
});

/** All provinces, grouped by macro-region. */
export const provinces: readonly Province[] = [
  at("23", "HL", "黑龙江", "northeast", 7, 1),
  at("22", "JL", "吉林", "northeast", 7, 2),
  at("21", "LN", "辽宁", "northeast", 6, 2),
  at("11", "BJ", "北京", "north", 5, 2),
  at("12", "TJ", "天津", "north", 6, 3),
  at("13", "HE", "河北", "north", 5, 3),
  at("14", "SX", "山西", "north", 4, 3),
  at("15", "NM", "内蒙古", "north", 4, 2),
  at("31", "SH", "上海", "east", 7, 5),
  at("32", "JS", "江苏", "east", 6, 5),
  at("33", "ZJ", "浙江", "east", 6, 6),
  at("34", "AH", "安徽", "east", 5, 5),
  at("35", "FJ", "福建", "east", 5, 7),
  at("36", "JX", "江西", "east", 5, 6),
  at("37", "SD", "山东", "east", 5, 4),
  at("41", "HA", "河南", "central", 4, 4),
  at("42", "HB", "湖北", "central", 4, 5),
  at("43", "HN", "湖南", "central", 4, 6),
  at("44", "GD", "广东", "south", 4, 7),
  at("45", "GX", "广西", "south", 3, 7),
  at("46", "HI", "海南", "south", 3, 8),
  at("50", "CQ", "重庆", "southwest", 3, 5),
  at("51", "SC", "四川", "southwest", 2, 5),
  at("52", "GZ", "贵州", "southwest", 3, 6),
  at("53", "YN", "云南", "southwest", 2, 6),
  at("54", "XZ", "西藏", "southwest", 1, 4),
  at("61", "SN", "陕西", "northwest", 3, 4),
  at("62", "GS", "甘肃", "northwest", 2, 3),
  at("63", "QH", "青海", "northwest", 2, 4),
  at("64", "NX", "宁夏", "northwest", 3, 3),
  at("65", "XJ", "新疆", "northwest", 1, 3),
  at("71", "TW", "台湾", "", 7, 7),
  at("81", "HK", "香港", "", 5, 8),
  at("82", "MO", "澳门", "", 4, 8),
];

/** Provinces with published prices. */
export const pricedProvinces: readonly Province[] = provinces.filter(({ macro }) => macro !== "");
