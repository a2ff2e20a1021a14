/** The part of jstat that is used; it brings no types. */
declare module "jstat" {
  interface Distribution<Parameters extends readonly number[]> {
    cdf(x: number, ...of: Parameters): number;
    inv(p: number, ...of: Parameters): number;
  }
  const jstat: {
    studentt: Distribution<[degreesOfFreedom: number]>;
    normal: Distribution<[mean: number, deviation: number]>;
  };
  export = jstat;
}
