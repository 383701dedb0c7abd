import * as names from "./names.mjs";
import { Random } from "./random.mjs";

const FIRST_DAY = Date.UTC(2023, 0, 1);
const DAYS = 1096;
const DAY_MS = 86_400_000;
const CUSTOMERS = 1400;
const ORDERS_A_DAY = 5.2;

const round2 = (amount) => Math.round(amount * 100) / 100;
const date = (day) => new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10);
const dayOf = (text) => Math.round((Date.parse(`${text}T00:00:00Z`) - FIRST_DAY) / DAY_MS);
const time = (day, minute) =>
  new Date(FIRST_DAY + day * DAY_MS + minute * 60_000).toISOString().slice(0, 16).replace("T", " ");

/** How much a season's goods sell in a month (0 is January). */
const SEASONS = {
  winter: [1.5, 1.3, 1.0, 0.8, 0.6, 0.5, 0.5, 0.6, 0.9, 1.2, 1.5, 1.9],
  summer: [0.5, 0.6, 0.9, 1.3, 1.7, 1.9, 1.8, 1.5, 1.0, 0.6, 0.5, 0.7],
  autumn: [1.1, 0.8, 0.8, 0.8, 0.8, 0.8, 0.9, 1.6, 1.9, 1.1, 0.9, 1.2],
  gift: [0.7, 1.0, 0.8, 0.9, 1.1, 0.8, 0.7, 0.7, 0.8, 1.0, 1.6, 2.4],
};
const MONTHS = [0.85, 0.85, 0.92, 0.95, 1.0, 0.95, 0.88, 0.9, 1.0, 1.05, 1.4, 1.7];

function inserter(db, table, columns) {
  const marks = columns.map(() => "?").join(", ");
  const statement = db.prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${marks})`);
  return (...values) => statement.run(values);
}

export function fill(db) {
  const random = new Random(20230101);
  const shop = { db, random };
  fillPlaces(shop);
  fillCustomers(shop);
  fillProducts(shop);
  fillOrders(shop);
  fillReviews(shop);
}

function personName(random, region) {
  const { first, last } = names.people[region];
  return region === "China"
    ? random.pick(last) + random.pick(first)
    : `${random.pick(first)} ${random.pick(last)}`;
}

function fillPlaces(shop) {
  const { db, random } = shop;
  const region = inserter(db, "regions", ["id", "name", "currency"]);
  names.regions.forEach(({ name, currency }, i) => region(i + 1, name, currency));
  shop.regionId = Object.fromEntries(names.regions.map(({ name }, i) => [name, i + 1]));

  const store = inserter(db, "stores", ["id", "region_id", "name", "kind", "opened_on", "closed_on"]);
  const staff = inserter(db, "staff", ["id", "store_id", "manager_id", "name", "hired_on", "left_on"]);
  shop.stores = [];
  let staffId = 0;
  names.stores.forEach(([name, where, kind, opened, closed], i) => {
    store(i + 1, shop.regionId[where], name, kind, opened, closed);
    const entry = { id: i + 1, region: where, kind, opened, closed, staff: [] };
    const heads = kind === "web" ? 2 : random.int(4, 6);
    const managerId = staffId + 1;
    const openedDay = dayOf(opened);
    for (let n = 0; n < heads; n += 1) {
      staffId += 1;
      const hiredDay = n < 2 ? openedDay : openedDay + random.int(0, 90);
      const leftDay = Math.max(hiredDay, 0) + random.int(200, 900);
      const left = n > 1 && leftDay < DAYS && random.chance(0.5) ? date(leftDay) : closed;
      staff(staffId, i + 1, n === 0 ? null : managerId, personName(random, where), date(hiredDay), left);
      entry.staff.push({ id: staffId, hired: date(hiredDay), left });
    }
    shop.stores.push(entry);
  });
}

function fillCustomers(shop) {
  const { db, random } = shop;
  const add = inserter(db, "customers", ["id", "region_id", "name", "email", "city", "joined_on", "tier"]);
  const weights = Object.fromEntries(names.regions.map(({ name, weight }) => [name, weight]));
  shop.customers = [];
  for (let id = 1; id <= CUSTOMERS; id += 1) {
    const region = random.weighted(weights);
    // Customers keep joining, so that the early days have fewer of them.
    const joinedDay = id <= 260 ? -random.int(1, 700) : Math.floor(((id - 260) / (CUSTOMERS - 260)) * (DAYS - 8));
    const email = random.chance(0.12) ? null : `customer${id}@${random.pick(["example.com", "example.org", "example.net"])}`;
    const tier = random.chance(0.4) ? null : random.weighted({ bronze: 6, silver: 3, gold: 1 });
    add(id, shop.regionId[region], personName(random, region), email, random.pick(names.cities[region]), date(joinedDay), tier);
    shop.customers.push({ id, region, joinedDay, tier });
  }
}

function fillProducts(shop) {
  const { db, random } = shop;
  const supplier = inserter(db, "suppliers", ["id", "name", "country", "contact_email"]);
  names.suppliers.forEach(([name, country], i) =>
    supplier(i + 1, name, country, i % 4 === 3 ? null : `sales${i + 1}@example.com`));

  const category = inserter(db, "categories", ["id", "parent_id", "name"]);
  const product = inserter(db, "products", ["id", "category_id", "supplier_id", "name", "price", "cost", "launched_on", "discontinued_on"]);
  shop.products = [];
  let categoryId = 0;
  for (const [department, categories] of Object.entries(names.catalogue)) {
    categoryId += 1;
    const departmentId = categoryId;
    category(departmentId, null, department);
    for (const [name, [low, high, season, nouns]] of Object.entries(categories)) {
      categoryId += 1;
      category(categoryId, departmentId, name);
      for (const noun of nouns) {
        for (let n = random.int(2, 3); n > 0; n -= 1) {
          addProduct(shop, product, { categoryId, low, high, season, noun, style: names.styles[(shop.products.length * 5 + n) % names.styles.length] });
        }
      }
    }
  }
}

function addProduct(shop, insert, { categoryId, low, high, season, noun, style }) {
  const { random } = shop;
  const id = shop.products.length + 1;
  // Squared: most goods are cheap, a few are dear, so "best" by units and by revenue differ.
  const price = Math.round(low + random.next() ** 2 * (high - low)) + random.pick([0.5, 0.9, 0.95]);
  const cost = round2(price * (0.35 + random.next() * 0.3));
  const launchedDay = random.chance(0.7) ? -random.int(30, 900) : random.int(0, 900);
  const gone = random.chance(0.1) ? Math.max(launchedDay, 0) + random.int(150, 700) : null;
  const discontinued = gone !== null && gone < DAYS ? gone : null;
  insert(id, categoryId, random.int(1, names.suppliers.length), `${style} ${noun}`, price, cost, date(launchedDay), discontinued === null ? null : date(discontinued));
  const appeal = (0.3 + random.next() ** 2 * 3) * (20 / (price + 10) + 0.25);
  shop.products.push({ id, price, season, launchedDay, discontinued, appeal });
}

function fillOrders(shop) {
  const { db, random } = shop;
  shop.add = {
    order: inserter(db, "orders", ["id", "customer_id", "store_id", "staff_id", "ordered_at", "shipped_at", "status", "discount"]),
    item: inserter(db, "order_items", ["order_id", "line", "product_id", "quantity", "unit_price"]),
    payment: inserter(db, "payments", ["id", "order_id", "method", "amount", "paid_at"]),
    returned: inserter(db, "returns", ["id", "order_id", "line", "returned_at", "quantity", "reason"]),
  };
  shop.next = { order: 1, payment: 1, returned: 1 };
  shop.bought = [];
  for (let day = 0; day < DAYS; day += 1) {
    const when = new Date(FIRST_DAY + day * DAY_MS);
    const weekend = [0, 6].includes(when.getUTCDay()) ? 1.35 : 0.9;
    const growth = 0.75 + (day / DAYS) * 0.75;
    const expected = ORDERS_A_DAY * growth * MONTHS[when.getUTCMonth()] * weekend;
    const count = Math.floor(expected + random.next() * 2 - 0.5);
    const catalogue = productsOn(shop, day, when.getUTCMonth());
    for (let n = 0; n < count; n += 1) addOrder(shop, day, catalogue);
  }
}

/** What is on sale that day, with running weights to pick from. */
function productsOn(shop, day, month) {
  let sum = 0;
  const list = [];
  for (const product of shop.products) {
    if (product.launchedDay > day || (product.discontinued !== null && product.discontinued <= day)) continue;
    sum += product.appeal * SEASONS[product.season][month];
    list.push({ product, upTo: sum });
  }
  return { list, sum };
}

function pickProduct(random, { list, sum }) {
  const at = random.next() * sum;
  return list.find(({ upTo }) => upTo > at)?.product ?? list[list.length - 1].product;
}

function pickCustomer(shop, day) {
  const joined = shop.customers.filter(({ joinedDay }) => joinedDay <= day);
  const customer = shop.random.pick(joined);
  // Loyal customers come back: a second draw prefers them.
  return customer.tier === null && shop.random.chance(0.5) ? shop.random.pick(joined) : customer;
}

function pickStore(shop, region, day) {
  const open = shop.stores.filter((store) =>
    store.region === region && store.opened <= date(day) && (store.closed === null || store.closed > date(day)));
  const store = shop.random.pick(open.length > 0 ? open : shop.stores.slice(0, 1));
  if (store.kind === "web") return { store, staffId: null };
  const present = store.staff.filter(({ hired, left }) => hired <= date(day) && (left === null || left > date(day)));
  return { store, staffId: shop.random.pick(present).id };
}

function statusOf(random, day, shop) {
  if (day > DAYS - 6) return random.weighted({ open: 7, shipped: 2, cancelled: 1 });
  if (day > DAYS - 14) return random.weighted({ open: 1, shipped: 6, delivered: 3, cancelled: 1 });
  const returned = shop.kind === "web" ? 6 : 3;
  return random.weighted({ delivered: 86, cancelled: 4, returned, shipped: 1 });
}

function addOrder(shop, day, catalogue) {
  const { random, add, next } = shop;
  const customer = pickCustomer(shop, day);
  const { store, staffId } = pickStore(shop, customer.region, day);
  const minute = random.int(8 * 60, 21 * 60);
  const waitDays = store.kind === "web" ? Number(random.weighted({ 1: 5, 2: 3, 4: 1, 9: 0.3 })) : 0;
  const status = day + waitDays >= DAYS ? "open" : statusOf(random, day, store);
  const shipped = ["open", "cancelled"].includes(status) ? null : time(day + waitDays, minute + random.int(10, 90));
  const discount = random.weighted({ 0: 78, 0.05: 10, 0.1: 8, 0.2: 4 });
  const id = next.order;
  next.order += 1;
  add.order(id, customer.id, store.id, staffId, time(day, minute), shipped, status, Number(discount));

  const lines = Number(random.weighted({ 1: 34, 2: 30, 3: 19, 4: 11, 5: 6 }));
  let total = 0;
  for (let line = 1; line <= lines; line += 1) {
    const product = pickProduct(random, catalogue);
    const quantity = Number(random.weighted(product.price < 20 ? { 1: 5, 2: 3, 3: 2, 6: 1 } : { 1: 9, 2: 1 }));
    // Prices rose by about four per cent a year.
    const unitPrice = round2(product.price * (1 - ((DAYS - day) / 365) * 0.04));
    add.item(id, line, product.id, quantity, unitPrice);
    total += quantity * unitPrice;
    if (status === "delivered") shop.bought.push({ day, customerId: customer.id, productId: product.id });
    if (status === "returned" && (line === 1 || random.chance(0.4))) addReturn(shop, { id, line, day, quantity });
  }
  addPayment(shop, { id, day, minute, status, amount: round2(total * (1 - Number(discount))), kind: store.kind });
}

function addReturn(shop, { id, line, day, quantity }) {
  const { random, add, next } = shop;
  const reason = random.chance(0.25) ? null : random.pickEarly(names.returnReasons);
  add.returned(next.returned, id, line, time(Math.min(day + random.int(4, 28), DAYS - 1), random.int(500, 1200)), random.int(1, quantity), reason);
  next.returned += 1;
}

function addPayment(shop, { id, day, minute, status, amount, kind }) {
  const { random, add, next } = shop;
  if (status === "cancelled") return;
  const method = random.weighted(kind === "web" ? { card: 5, wallet: 4, invoice: 2 } : { card: 6, cash: 3, wallet: 2 });
  const days = method === "invoice" ? random.int(2, 40) : 0;
  const paidAt = day + days >= DAYS ? null : time(day + days, minute + 1);
  const parts = method === "card" && amount > 250 && random.chance(0.3) ? [round2(amount / 2), round2(amount - round2(amount / 2))] : [amount];
  for (const part of parts) {
    add.payment(next.payment, id, method, part, paidAt);
    next.payment += 1;
  }
}

function fillReviews(shop) {
  const { db, random, bought } = shop;
  const add = inserter(db, "reviews", ["id", "product_id", "customer_id", "rating", "body", "written_at"]);
  let id = 0;
  for (const { day, customerId, productId } of bought) {
    if (!random.chance(0.14)) continue;
    const written = day + random.int(3, 45);
    if (written >= DAYS) continue;
    id += 1;
    // Each product has its own quality, hidden in its number.
    const rating = Number(random.weighted(productId % 9 === 0 ? { 1: 3, 2: 3, 3: 2, 4: 1, 5: 1 } : { 1: 1, 2: 1, 3: 3, 4: 7, 5: 9 }));
    const texts = rating >= 4 ? names.reviews.good : rating === 3 ? names.reviews.middling : names.reviews.bad;
    add(id, productId, customerId, rating, random.chance(0.35) ? null : random.pick(texts), time(written, random.int(420, 1380)));
  }
}
