;; Steps a statement and writes its rows, column by column, into a batch in sql.js's own memory: wasm calls wasm,
;; and JavaScript is not asked for every cell. src/engine/worker/filler.rs says where a batch's parts lie;
;; src/engine/pages.rs says what tags and slots mean. tests/it/filler.rs holds filler.wasm to this text.
(module
  (import "sqlite" "memory" (memory 1))
  (import "sqlite" "step" (func $step (param i32) (result i32)))
  (import "sqlite" "type" (func $type (param i32 i32) (result i32)))
  (import "sqlite" "double" (func $double (param i32 i32) (result f64)))
  (import "sqlite" "text" (func $text (param i32 i32) (result i32)))
  (import "sqlite" "blob" (func $blob (param i32 i32) (result i32)))
  (import "sqlite" "bytes" (func $bytes (param i32 i32) (result i32)))

  ;; The decimal digits of an integer, all 64 bits. The smallest one overflows to itself.
  (func $parse (param $at i32) (param $count i32) (result i64)
    (local $end i32) (local $value i64) (local $negative i32)
    (local.set $end (i32.add (local.get $at) (local.get $count)))
    (if (i32.and (i32.lt_u (local.get $at) (local.get $end))
                 (i32.eq (i32.load8_u (local.get $at)) (i32.const 45)))
      (then
        (local.set $negative (i32.const 1))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))))
    (block $done
      (loop $digit
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $value
          (i64.add (i64.mul (local.get $value) (i64.const 10))
                   (i64.extend_i32_u (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $digit)))
    (if (result i64) (local.get $negative)
      (then (i64.sub (i64.const 0) (local.get $value)))
      (else (local.get $value))))

  ;; Below 2^53 an integer is exact as a double; above, only its digits are.
  (func $integer (param $statement i32) (param $column i32) (result i64)
    (local $rounded f64) (local $digits i32)
    (local.set $rounded (call $double (local.get $statement) (local.get $column)))
    (if (f64.lt (f64.abs (local.get $rounded)) (f64.const 9007199254740992))
      (then (return (i64.trunc_f64_s (local.get $rounded)))))
    (local.set $digits (call $text (local.get $statement) (local.get $column)))
    (call $parse (local.get $digits) (call $bytes (local.get $statement) (local.get $column))))

  ;; Most texts are shorter than what a call of the engine's own copy costs.
  (func $copy (param $to i32) (param $from i32) (param $length i32)
    (local $end i32)
    (if (i32.gt_u (local.get $length) (i32.const 64))
      (then (memory.copy (local.get $to) (local.get $from) (local.get $length)) (return)))
    (local.set $end (i32.add (local.get $from) (local.get $length)))
    (block $rest
      (loop $eight
        (br_if $rest (i32.lt_u (i32.sub (local.get $end) (local.get $from)) (i32.const 8)))
        (i64.store (local.get $to) (i64.load (local.get $from)))
        (local.set $to (i32.add (local.get $to) (i32.const 8)))
        (local.set $from (i32.add (local.get $from) (i32.const 8)))
        (br $eight)))
    (block $done
      (loop $one
        (br_if $done (i32.ge_u (local.get $from) (local.get $end)))
        (i32.store8 (local.get $to) (i32.load8_u (local.get $from)))
        (local.set $to (i32.add (local.get $to) (i32.const 1)))
        (local.set $from (i32.add (local.get $from) (i32.const 1)))
        (br $one))))

  ;; Fills at most `rows` rows. Gives SQLite's code of the last step; 100 when the batch is full; -1 when a row
  ;; was stepped to and does not fit the arena; 7 when SQLite had no memory to spell a value out. At `counts`
  ;; it leaves the rows and the arena bytes that were written. Offsets in slots begin at `base`.
  (func (export "fill")
    (param $statement i32) (param $columns i32) (param $rows i32)
    (param $tags i32) (param $slots i32) (param $arena i32) (param $room i32) (param $base i32) (param $counts i32)
    (result i32)
    (local $row i32) (local $used i32) (local $mark i32) (local $column i32) (local $cell i32) (local $code i32)
    (local $type i32) (local $at i32) (local $length i32) (local $slot i64)
    (block $stop
      (loop $next
        (if (i32.ge_u (local.get $row) (local.get $rows))
          (then (local.set $code (i32.const 100)) (br $stop)))
        (local.set $code (call $step (local.get $statement)))
        (br_if $stop (i32.ne (local.get $code) (i32.const 100)))
        (local.set $column (i32.const 0))
        (local.set $mark (local.get $used))
        (block $row_done
          (loop $cells
            (br_if $row_done (i32.ge_u (local.get $column) (local.get $columns)))
            (local.set $cell
              (i32.add (i32.mul (local.get $column) (local.get $rows)) (local.get $row)))
            (local.set $slot (i64.const 0))
            (local.set $type (call $type (local.get $statement) (local.get $column)))
            (block $known
              (if (i32.eq (local.get $type) (i32.const 1))
                (then
                  (local.set $slot (call $integer (local.get $statement) (local.get $column)))
                  (br $known)))
              (if (i32.eq (local.get $type) (i32.const 2))
                (then
                  (local.set $slot
                    (i64.reinterpret_f64 (call $double (local.get $statement) (local.get $column))))
                  (br $known)))
              (if (i32.or (i32.lt_s (local.get $type) (i32.const 3)) (i32.gt_s (local.get $type) (i32.const 4)))
                (then
                  (local.set $type (i32.const 0))
                  (br $known)))
              (local.set $at
                (if (result i32) (i32.eq (local.get $type) (i32.const 3))
                  (then (call $text (local.get $statement) (local.get $column)))
                  (else (call $blob (local.get $statement) (local.get $column)))))
              (local.set $length (call $bytes (local.get $statement) (local.get $column)))
              ;; An empty blob has no address; a text always has one, unless memory ran out.
              (if (i32.eqz (local.get $at))
                (then
                  (if (i32.eq (local.get $type) (i32.const 3))
                    (then
                      (local.set $used (local.get $mark))
                      (local.set $code (i32.const 7))
                      (br $stop)))
                  (local.set $length (i32.const 0))))
              (if (i32.gt_u (local.get $length) (i32.sub (local.get $room) (local.get $used)))
                (then
                  (local.set $used (local.get $mark))
                  (local.set $code (i32.const -1))
                  (br $stop)))
              (call $copy (i32.add (local.get $arena) (local.get $used)) (local.get $at) (local.get $length))
              (local.set $slot
                (i64.or
                  (i64.shl (i64.extend_i32_u (i32.add (local.get $base) (local.get $used))) (i64.const 32))
                  (i64.extend_i32_u (local.get $length))))
              (local.set $used (i32.add (local.get $used) (local.get $length))))
            (i32.store8 (i32.add (local.get $tags) (local.get $cell)) (local.get $type))
            (i64.store (i32.add (local.get $slots) (i32.mul (local.get $cell) (i32.const 8))) (local.get $slot))
            (local.set $column (i32.add (local.get $column) (i32.const 1)))
            (br $cells)))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (br $next)))
    (i32.store (local.get $counts) (local.get $row))
    (i32.store offset=4 (local.get $counts) (local.get $used))
    (local.get $code)))
