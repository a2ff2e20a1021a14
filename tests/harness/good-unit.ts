/** Values of a unit in which nothing is wrong, as its controller for the environment sends them. */
export const goodUnit = {
  t_in: 20,
  t_target: 19.5,
  rh: 68,
  nh3: 9,
  co2: 1800,
  h2s: 0.4,
  dp: 18,
  gear: 4,
  gear_cmd: 4,
  mains: true,
};
