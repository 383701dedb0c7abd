// Draws the chart that src/view/chart.rs chose. No markup from strings and no motion: tips are painted on the canvas.
import { BarChart, LineChart, PieChart, ScatterChart } from "echarts/charts";
import { AriaComponent, GridComponent, LegendComponent, TitleComponent, TooltipComponent } from "echarts/components";
import * as echarts from "echarts/core";
import { CanvasRenderer, SVGRenderer } from "echarts/renderers";
import { EXPORT_WIDTH, height, option } from "./option.js";

echarts.use([
  BarChart, LineChart, PieChart, ScatterChart,
  AriaComponent, GridComponent, LegendComponent, TitleComponent, TooltipComponent,
  CanvasRenderer, SVGRenderer,
]);


/** Draws into `host`. Returns what switches the kind, saves the picture (as "png" or "svg") and ends it. */
export function draw({ host, spec }) {
  let { kind } = spec;
  const size = () => ({ width: host.clientWidth, height: height(spec, kind, host.clientWidth) });
  host.style.height = `${size().height}px`;
  const chart = echarts.init(host, null, { renderer: "canvas", ...size() });
  const paint = () => {
    host.style.height = `${size().height}px`;
    chart.resize(size());
    chart.setOption(option(spec, kind, host), true);
  };
  paint();
  const resized = new ResizeObserver(() => {
    if (host.clientWidth > 0 && host.clientWidth !== chart.getWidth()) paint();
  });
  resized.observe(host);
  const dark = matchMedia("(prefers-color-scheme: dark)");
  dark.addEventListener("change", paint);
  const themed = new MutationObserver(paint);
  themed.observe(document.documentElement, { attributeFilter: ["data-theme"] });
  return {
    show(next) {
      kind = next;
      paint();
    },
    save: (format) => save(spec, kind, host, format),
    close() {
      resized.disconnect();
      themed.disconnect();
      dark.removeEventListener("change", paint);
      chart.dispose();
    },
  };
}

/** A picture of its own, with its title, as wide whatever the page is. */
function save(spec, kind, host, format) {
  const size = { width: EXPORT_WIDTH, height: height(spec, kind, EXPORT_WIDTH) + 48 };
  const whole = { ...option(spec, kind, host, { titled: true }) };
  const keep = (blob) => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(blob);
    link.download = `${spec.name}.${format}`;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  if (format === "svg") {
    const chart = echarts.init(null, null, { renderer: "svg", ssr: true, ...size });
    chart.setOption(whole);
    keep(new Blob([chart.renderToSVGString()], { type: "image/svg+xml" }));
    chart.dispose();
    return;
  }
  const chart = echarts.init(document.createElement("div"), null, { renderer: "canvas", devicePixelRatio: 2, ...size });
  chart.setOption(whole);
  chart.getRenderedCanvas({ pixelRatio: 2, backgroundColor: whole.backgroundColor }).toBlob((blob) => {
    if (blob !== null) keep(blob);
    chart.dispose();
  });
}
