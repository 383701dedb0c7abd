export const regions = [
  { name: "Europe", currency: "EUR", weight: 42 },
  { name: "North America", currency: "USD", weight: 27 },
  { name: "China", currency: "CNY", weight: 18 },
  { name: "Latin America", currency: "BRL", weight: 8 },
  { name: "Oceania", currency: "AUD", weight: 5 },
];

export const cities = {
  Europe: ["Berlin", "Paris", "Zürich", "København", "Kraków", "Málaga", "Göteborg", "Dublin"],
  "North America": ["Portland", "Montréal", "Austin", "Chicago", "Halifax"],
  China: ["上海", "杭州", "成都", "深圳", "北京"],
  "Latin America": ["São Paulo", "Bogotá", "Córdoba", "Mérida"],
  Oceania: ["Melbourne", "Auckland", "Hobart"],
};

const west = {
  first: ["Emma", "Liam", "Olivia", "Noah", "Ava", "Lucas", "Mia", "Henry", "Zoë", "Chloé", "Björn", "Søren", "Anaïs", "Łukasz", "Jürgen", "Françoise", "Grace", "Oscar", "Ruby", "Siân", "Theo", "Nora"],
  last: ["Smith", "Müller", "O’Brien", "Dubois", "Kowalska", "Andersson", "Jensen", "García", "Novák", "Brown", "Lefèvre", "Weiß", "Taylor", "Nguyen", "Ødegård", "Martin", "Wright", "Clarke"],
};

export const people = {
  Europe: west,
  "North America": west,
  Oceania: west,
  "Latin America": {
    first: ["José", "María", "João", "Lucía", "Andrés", "Inês", "Sofía", "Martín", "Beatriz", "Raúl"],
    last: ["González", "Muñoz", "da Silva", "Pérez", "Araújo", "Núñez", "Ibáñez", "Fernández"],
  },
  China: {
    first: ["伟", "芳", "秀英", "敏", "静", "丽", "强", "磊", "洋", "艳", "梓涵", "子轩", "雨桐", "浩然"],
    last: ["王", "李", "张", "刘", "陈", "杨", "赵", "黄", "周", "吴"],
  },
};

export const suppliers = [
  ["Nordlys Design AS", "Norway"],
  ["Atelier Bérénice", "France"],
  ["景德镇瓷器厂", "China"],
  ["Kessler & Söhne GmbH", "Germany"],
  ["Café Altura", "Colombia"],
  ["Harbour Paper Co.", "Canada"],
  ["Studio Kōgei", "Japan"],
  ["杭州丝绸", "China"],
  ["Green Fern Ltd", "New Zealand"],
  ["Oficina do Couro", "Brazil"],
  ["Lantern Works", "United States"],
  ["Wełna Polska", "Poland"],
];

/** Department → category → [lowest price, highest price, season, nouns]. */
export const catalogue = {
  Kitchen: {
    Coffee: [9, 48, "winter", ["Espresso Beans", "Filter Roast", "Cold Brew Kit", "Hand Grinder", "Moka Pot"]],
    Tea: [6, 40, "winter", ["龙井 Green Tea", "Earl Grey", "Rooibos", "Oolong 乌龙", "Tea Strainer"]],
    Tableware: [8, 90, "gift", ["Bowl", "Plate", "Mug", "Teapot", "Serving Dish", "Chopsticks 筷子"]],
  },
  Home: {
    Lighting: [25, 240, "winter", ["Desk Lamp", "Pendant", "Lantern", "Floor Lamp", "Night Light"]],
    Textiles: [15, 160, "winter", ["Wool Blanket", "Silk Scarf 丝巾", "Cushion", "Linen Towel", "Rug"]],
    Garden: [7, 120, "summer", ["Watering Can", "Herb Pot", "Hammock", "Bird House", "Secateurs"]],
  },
  Desk: {
    Paper: [3, 35, "autumn", ["Notebook", "Sketchbook", "Planner", "Postcards", "Washi Tape"]],
    Pens: [2, 130, "autumn", ["Fountain Pen", "Brush Pen 毛笔", "Pencil Set", "Ink Bottle", "Marker"]],
  },
  Travel: {
    Bags: [30, 260, "summer", ["Backpack", "Tote", "Weekender", "Pouch", "Belt Bag"]],
    Outdoors: [10, 180, "summer", ["Flask", "Camp Stove", "Picnic Set", "Head Torch", "Rain Cape"]],
  },
};

export const styles = ["Aurora", "Bergen", "Cèdre", "Dune", "Étoile", "Fjord", "Grove", "Haze", "Indigo", "Jasmin", "Kite", "Luna", "Mistral", "Nébula"];

export const stores = [
  ["Web Europe", "Europe", "web", "2019-03-01", null],
  ["Berlin Mitte", "Europe", "shop", "2018-05-12", null],
  ["Paris Marais", "Europe", "shop", "2020-09-01", null],
  ["Zürich Niederdorf", "Europe", "shop", "2021-04-17", "2024-08-31"],
  ["Web America", "North America", "web", "2019-06-01", null],
  ["Portland Pearl", "North America", "shop", "2021-10-02", null],
  ["Montréal Plateau", "North America", "shop", "2022-03-19", null],
  ["天猫旗舰店", "China", "web", "2021-11-11", null],
  ["上海静安店", "China", "shop", "2023-05-01", null],
  ["Web Latin America", "Latin America", "web", "2022-08-01", null],
  ["São Paulo Jardins", "Latin America", "shop", "2024-02-10", null],
  ["Web Oceania", "Oceania", "web", "2023-02-01", null],
];

export const reviews = {
  good: ["Exactly as shown, love it.", "Très joli, merci !", "质量很好，会再买。", "Sturdy and well made.", "A perfect gift.", "Schnelle Lieferung, sehr schön."],
  middling: ["Fine for the price.", "Smaller than I thought.", "还可以。", "Colour differs a little from the picture."],
  bad: ["Arrived broken.", "Stopped working after a week.", "包装破损。", "Not worth the money."],
};

export const returnReasons = ["damaged", "wrong item", "does not fit", "changed mind", "late delivery"];
