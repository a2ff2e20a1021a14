import type { FarmType, PigstyType, UnitMode } from "@herdwise/contract";

export const pigstyNames: Readonly<Record<PigstyType, string>> = {
  fattening: "育肥舍",
  piglet: "保育舍",
  nursing: "哺乳舍",
  pregnancy: "妊娠舍",
  reserve: "后备舍",
  boar: "公猪舍",
  integrated: "一体舍",
};

export const farmTypeNames: Readonly<Record<FarmType, string>> = {
  commercial: "商品场",
  multiplication: "扩繁场",
  breeding: "种猪场",
  "boar-station": "公猪站",
};

export const modeNames: Readonly<Record<UnitMode, string>> = { normal: "正常饲养", empty: "空栏", washing: "冲洗" };
