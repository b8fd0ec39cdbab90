package main

import (
	"fmt"
	"os"

	"go.uber.org/zap/zapcore"
)

const logLevel = zapcore.FatalLevel

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func must[T any](value T, err error) T {
	check(err)
	return value
}
