// Writes when schedules start, also where clocks change, into packages/apimachinery/test/cron/recorded:
//
//	go run cron-facts.go ../test/cron/recorded/starts.json && npx oxfmt ../test/cron/recorded
//
// It needs the module github.com/robfig/cron/v3 v3.0.1, with which kube-controller-manager reads schedules.
package main

import (
	"encoding/json"
	"os"
	"time"
	_ "time/tzdata"

	"github.com/robfig/cron/v3"
)

type fact struct {
	Schedule string   `json:"schedule"`
	TimeZone string   `json:"timeZone"`
	After    string   `json:"after"`
	Starts   []string `json:"starts"`
}

// Shortly before clocks change there.
var changes = map[string][]string{
	"UTC":                 {"2026-02-27T22:10:07Z"},
	"America/New_York":    {"2026-03-08T05:50:00Z", "2026-11-01T04:20:30Z"},
	"America/Sao_Paulo":   {"2018-11-03T20:15:00Z", "2019-02-16T22:15:00Z"},
	"America/Havana":      {"2024-03-10T03:30:00Z", "2024-11-03T03:30:00Z"},
	"Asia/Beirut":         {"2022-03-26T20:30:00Z", "2022-10-29T19:30:00Z"},
	"Asia/Kolkata":        {"2026-06-30T18:29:59Z"},
	"Australia/Lord_Howe": {"2025-10-04T14:50:00Z", "2026-04-04T13:50:00Z"},
	"Europe/Berlin":       {"2026-03-28T23:59:59Z", "2026-10-24T23:10:00Z"},
	"Europe/London":       {"2026-03-28T22:30:00Z", "2026-10-24T23:30:00Z"},
}

var schedules = []string{
	"* * * * *", "*/20 * * * *", "30 * * * *", "30 1 * * *", "30 2 * * *", "0 0 * * *", "15 3 * * *", "0 */6 * * *",
	"59 23 * * *", "0 5 1,15 * *", "0 12 * * mon-fri", "0 0 13 * FRI", "0 0 29 2 ?", "0 0 30 2 *", "0 0 31 * *",
	"5/20 2-3 * JAN,mar-Oct/2 *", "*/1 0 */1 * 0", "0 0 */2 * 1", "@yearly", "@monthly", "@weekly", "@daily", "@hourly",
	"@every 90m", "@every 10ms", ", * * * *",
}

var zones = []string{
	"UTC", "America/New_York", "America/Sao_Paulo", "America/Havana", "Asia/Beirut", "Asia/Kolkata", "Australia/Lord_Howe",
	"Europe/Berlin", "Europe/London",
}

func main() {
	facts := []fact{}
	for _, zone := range zones {
		for _, after := range changes[zone] {
			for _, text := range schedules {
				facts = append(facts, fact{text, zone, after, starts(text, zone, after)})
			}
		}
	}
	file := must(os.Create(os.Args[1]))
	encoder := json.NewEncoder(file)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(facts); err != nil {
		panic(err)
	}
}

func starts(text, zone, after string) []string {
	schedule := must(cron.ParseStandard("TZ=" + zone + " " + text))
	found := []string{}
	at := must(time.Parse(time.RFC3339, after))
	for len(found) < 3 {
		at = schedule.Next(at)
		if at.IsZero() {
			break
		}
		found = append(found, at.UTC().Format(time.RFC3339))
	}
	return found
}

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
