// The chosen chart in ECharts' words, in the page's own colours.
import { POINT, thin } from "./thin.js";

const BAR = 30;
const PLAIN = 340;
const LOW = 240;
const NARROW = 520;
export const EXPORT_WIDTH = 960;
/** Marks are shown one by one up to here; more of them would hide the line. */
const SYMBOLS_MAX = 40;
const LARGE = 2_000;
const SYMBOLS = ["circle", "rect", "triangle", "diamond", "roundRect", "pin"];
const DASHES = ["solid", "dashed", "dotted", [8, 3, 2, 3], [12, 4], [2, 4, 8, 4]];

/** Pixels. Bars lie, so that their names can be read at any width, and need room. */
export function height(spec, kind, width) {
  if (kind === "bar") return spec.labels.length * Math.max(BAR, spec.series.length * 16 + 8) + 32;
  return kind === "pie" && width < NARROW ? LOW : PLAIN;
}

/** `host` is where the page's colours and font are read; `titled` for a picture that leaves the page. */
export function option(spec, kind, host, { titled = false } = {}) {
  const look = read(host);
  const many = spec.series.length > 1 && kind !== "scatter";
  const width = titled ? EXPORT_WIDTH : host.clientWidth;
  const narrow = width < NARROW;
  const top = (titled ? 44 : 8) + (many ? 8 + 20 * legendRows(spec, width) : 0);
  const text = { color: look.soft, fontFamily: look.font, fontSize: 12 };
  return {
    animation: false,
    useUTC: true,
    color: look.series,
    backgroundColor: titled ? look.surface : "transparent",
    textStyle: text,
    // The page says it in words already. Patterns, so that slices and series differ in more than colour.
    aria: { enabled: true, label: { enabled: false }, decal: { show: kind === "pie" || (kind === "bar" && many) } },
    ...(titled && { title: { text: spec.title, left: 12, top: 10, textStyle: { ...text, color: look.ink, fontSize: 15 } } }),
    ...(many && { legend: { top: titled ? 40 : 0, left: 0, icon: kind === "line" ? undefined : "rect", textStyle: text } }),
    tooltip: {
      renderMode: "richText",
      confine: true,
      trigger: kind === "line" ? "axis" : "item",
      backgroundColor: look.surface,
      borderColor: look.line,
      textStyle: { ...text, color: look.ink },
      valueFormatter: (value) => (Array.isArray(value) ? value.map((v) => number(v, spec)).join(", ") : number(value, spec)),
    },
    ...KINDS[kind]({ spec, look, text, top, narrow, width }),
  };
}

const KINDS = { bar, line, pie, scatter };

function bar({ spec, look, text, top, narrow, width }) {
  const single = spec.series.length === 1;
  return {
    grid: { ...GRID, top, right: single ? 40 : 16 },
    xAxis: valueAxis(spec, look, text),
    yAxis: {
      type: "category",
      inverse: true,
      data: spec.labels,
      axisLabel: { ...text, width: narrow ? 110 : 220, overflow: "truncate", interval: 0 },
      axisTick: { show: false },
      axisLine: { lineStyle: { color: look.line } },
    },
    series: spec.series.map(({ name, values }) => ({
      type: "bar",
      name,
      barMaxWidth: 22,
      barGap: "10%",
      data: [...values].map((value) => ({
        value: known(value),
        label: { position: value < 0 ? "left" : "right" },
      })),
      label: { show: single, ...text, formatter: ({ value }) => compact(value, spec) },
      itemStyle: { borderRadius: 3 },
    })),
  };
}

function line({ spec, look, text, top }) {
  const points = spec.pairs ? spec.series[0].values.length / 2 : spec.labels.length;
  const x = spec.pairs
    ? { type: spec.time ? "time" : "value", min: "dataMin", max: "dataMax" }
    : { type: "category", data: spec.labels, boundaryGap: points === 1 };
  return {
    grid: { ...GRID, top: top + 8, right: 20 },
    xAxis: {
      ...x,
      axisLabel: { ...text, hideOverlap: true },
      axisTick: { show: false },
      axisLine: { lineStyle: { color: look.line } },
      splitLine: { show: false },
    },
    yAxis: valueAxis(spec, look, text, { scale: floats(spec) }),
    series: spec.series.map(({ name, values }, at) => ({
      type: "line",
      name,
      data: spec.pairs ? values : [...values].map(known),
      ...(spec.pairs && { dimensions: [{ name: "x", type: spec.time ? "time" : "number" }, "y"], encode: { x: 0, y: 1 }, sampling: "lttb" }),
      symbol: SYMBOLS[at % SYMBOLS.length],
      symbolSize: 7,
      showSymbol: points <= SYMBOLS_MAX,
      lineStyle: { width: points > LARGE ? 1.2 : 2, type: DASHES[at % DASHES.length] },
      connectNulls: false,
    })),
  };
}

function pie({ spec, look, text, top, narrow, width }) {
  const [{ name, values }] = spec.series;
  return {
    series: [
      {
        type: "pie",
        name,
        top,
        radius: narrow ? "62%" : "74%",
        data: spec.labels.map((label, at) => ({ name: label, value: known(values[at]) })),
        itemStyle: { borderColor: look.surface, borderWidth: 2 },
        label: {
          ...text,
          color: look.ink,
          formatter: ({ name, percent }) => `${name}\n${number(percent, spec)} %`,
          overflow: "truncate",
          width: narrow ? 84 : 200,
        },
        labelLine: { length: narrow ? 6 : 15, length2: narrow ? 4 : 15, lineStyle: { color: look.line } },
      },
    ],
  };
}

function scatter({ spec, look, text, top, width }) {
  const [first, second] = spec.series;
  const all = spec.pairs ? first.values : interleaved(first.values, second.values);
  const large = all.length / 2 > LARGE;
  const data = large ? thin(all, width, PLAIN) : all;
  return {
    grid: { ...GRID, top: top + 20, right: 24, bottom: 28 },
    xAxis: valueAxis(spec, look, text, { scale: true, name: spec.x, nameLocation: "middle", nameGap: 30, nameTextStyle: text }),
    yAxis: valueAxis(spec, look, text, { scale: true, name: spec.y, nameTextStyle: { ...text, align: "left" } }),
    series: [
      {
        type: "scatter",
        name: spec.title,
        data,
        dimensions: [spec.x, spec.y],
        encode: { x: 0, y: 1, tooltip: [0, 1] },
        symbolSize: large ? POINT : 8,
        large,
        progressive: 0,
        itemStyle: { opacity: 0.75 },
      },
    ],
  };
}

/** Room for the labels of the axes is found by itself. */
const GRID = { left: 4, right: 16, bottom: 4, outerBoundsMode: "same", outerBoundsContain: "axisLabel" };

function valueAxis(spec, look, text, more = {}) {
  return {
    type: "value",
    axisLabel: { ...text, hideOverlap: true, formatter: (value) => compact(value, spec) },
    splitLine: { lineStyle: { color: look.line } },
    axisLine: { show: false },
    ...more,
  };
}

/** A guess, on the safe side. */
function legendRows({ series }, width) {
  const long = series.reduce((sum, { name }) => sum + 48 + [...name].reduce((w, c) => w + (c < "\u2e80" ? 7 : 12), 0), 0);
  return Math.ceil(long / Math.max(width, 1));
}

/** A line may float, but one that nearly touches zero should show it. */
function floats({ series, pairs }) {
  let low = Infinity;
  let high = -Infinity;
  for (const { values } of series) {
    for (let at = pairs ? 1 : 0; at < values.length; at += pairs ? 2 : 1) {
      if (values[at] < low) low = values[at];
      if (values[at] > high) high = values[at];
    }
  }
  return !(low > 0 && low < high * 0.6);
}

function interleaved(x, y) {
  const out = new Float64Array(x.length * 2);
  for (let at = 0; at < x.length; at += 1) {
    out[at * 2] = x[at];
    out[at * 2 + 1] = y[at];
  }
  return out;
}

/** NULL is a gap, not a zero. */
function known(value) {
  return Number.isNaN(value) ? null : value;
}

function number(value, { language }) {
  return typeof value === "number" && !Number.isNaN(value) ? format(language, "exact").format(value) : "NULL";
}

function compact(value, { language }) {
  if (typeof value !== "number") return "NULL";
  return format(language, Math.abs(value) >= 10_000 ? "compact" : "short").format(value);
}

const FORMATS = {
  exact: { maximumFractionDigits: 6 },
  short: { maximumFractionDigits: 4 },
  compact: { notation: "compact", maximumFractionDigits: 1 },
};
const formats = new Map();

/** Made once: a browser takes milliseconds for it. */
function format(language, kind) {
  const key = `${language} ${kind}`;
  if (!formats.has(key)) formats.set(key, new Intl.NumberFormat(language, FORMATS[kind]));
  return formats.get(key);
}

function read(host) {
  const style = getComputedStyle(document.documentElement);
  const token = (name) => style.getPropertyValue(`--${name}`).trim();
  return {
    series: [0, 1, 2, 3, 4, 5].map((n) => token(`series-${n}`)),
    ink: token("ink"),
    soft: token("ink-soft"),
    line: token("line"),
    surface: token("surface"),
    // A saved drawing writes it into an attribute as it is.
    font: getComputedStyle(host).fontFamily.replaceAll('"', "'"),
  };
}
