import type { ArticlePage } from "@herdwise/contract";
import type { SolutionName } from "../shared/drawings/solution-scenes.ts";

export interface Solution {
  name: SolutionName;
  title: string;
  text: string;
  /** Last part of its own page's address. */
  page: ArticlePage;
}

/** The seven solutions of product.md 1, then feed mill, farm and industrial park. */
export const solutions: readonly Solution[] = [
  {
    name: "environment",
    title: "环境控制",
    text: "十八档通风、湿帘、喷淋与加热，按日龄曲线联动。",
    page: "environmentalControl",
  },
  { name: "biosafety", title: "生物安全", text: "洗消、隔离、饮水消毒与人员通道连成一条线。", page: "biosafety" },
  { name: "smart-farm", title: "智慧猪场", text: "咳嗽、体温、免疫与环境汇到一栋舍的一张图上。", page: "wisdom" },
  {
    name: "deodorization",
    title: "氨气除臭",
    text: "洗涤塔与檐下喷雾按风机档位启停，参数逐时留存。",
    page: "ammoniaDeodorization",
  },
  { name: "manure-water", title: "粪水处理", text: "从漏缝到还田，液位、流量与水质全程有数。", page: "evcManure" },
  {
    name: "farmland",
    title: "高标准农田",
    text: "养殖粪水计量还田，水肥与墒情一块田一本账。",
    page: "highStandardFarmland",
  },
  {
    name: "farm-design",
    title: "猪场设计",
    text: "先算风量与气流，再定跨度与风机，图纸直达设备台账。",
    page: "pigFarmDesign",
  },
  { name: "feed-mill", title: "饲料厂智能监控", text: "原料、85 ℃ 8 分钟灭菌与出厂批次，批批可追。", page: "feedMill" },
  {
    name: "farm-monitoring",
    title: "养殖场智能监控",
    text: "场区、舍、单元三级看板，只在需要时打扰你。",
    page: "farmMonitoring",
  },
  {
    name: "park-monitoring",
    title: "产业园区智能监控",
    text: "水、电、气、环保与车辆，一个园区一张图。",
    page: "parkMonitoring",
  },
];

/** Where a solution is told. */
export const solutionPath = ({ page }: Pick<Solution, "page">): string => `/solution/${page}`;
